/// The kind of a collection event.
public enum CollectionChange<Changes> {
  /// The first event of an observation: the collection as it is.
  case initial
  /// The collection was replaced. Discard everything derived from the previous one.
  case reset
  /// The collection was edited, as the changeset describes.
  case changes(Changes)
}

extension CollectionChange: Sendable where Changes: Sendable {}

/// A collection after a change, and the change that led to it.
public struct CollectionEvent<Base: CollectionBase> {
  /// The collection after the change. Storing it copies nothing, because versions share storage.
  public let collection: Base.Elements
  /// The kind of the event.
  public let change: CollectionChange<Base.Changes>

  @inlinable
  package init(_ collection: Base.Elements, _ change: CollectionChange<Base.Changes>) {
    self.collection = collection
    self.change = change
  }

  /// The changeset, or nil for the initial event and after a reset.
  public var changes: Base.Changes? {
    if case .changes(let changes) = change { changes } else { nil }
  }
}

extension CollectionEvent where Base: ListBase {
  /// The inserted elements, by new index. Empty for the initial event and after a reset.
  public var inserts: IndexRuns { changes?.inserts ?? IndexRuns() }

  /// The updated elements, by old index. Empty for the initial event and after a reset.
  public var updates: IndexRuns { changes?.updates ?? IndexRuns() }

  /// The deleted elements, by old index. Empty for the initial event and after a reset.
  public var deletes: IndexRuns { changes?.deletes ?? IndexRuns() }

  /// The moved elements, ascending by new index. Empty for the initial event and after a reset.
  public var moves: [ListMove] { changes?.moves ?? [] }
}

extension CollectionEvent: Sendable where Base.Elements: Sendable, Base.Changes: Sendable {}

/// A type that a ``CollectionProperty`` can hold: `Array`, `Dictionary`, `Set` or ``Sections``.
public protocol CollectionBase {
  /// The storage of the collection, which shares structure between versions.
  associatedtype Elements: SharedCollection
  /// The changeset type of the collection.
  associatedtype Changes: Changeset
  /// The type that edits the collection and records changes.
  associatedtype Editor: CollectionEditor<Elements, Changes>
}

/// A type that edits a collection and records the changes. This module defines the only four
/// conforming types, and only this package uses them.
public protocol CollectionEditor<Elements, Changes> {
  /// The storage of the collection.
  associatedtype Elements
  /// The changeset type of the collection.
  associatedtype Changes

  /// True when the collection may be edited by an `==` that an edit calls.
  static var canNest: Bool { get }
  /// Creates an editor of a collection, without changes.
  init(_ elements: Elements)
  /// The current collection.
  var elements: Elements { get }
  /// True when the next event is a reset, because the collection was replaced.
  var isReset: Bool { get set }
  /// True when there are edits that were not delivered yet.
  var isTouched: Bool { get }
  /// Returns the changes since the last call, or nil if there are none, and begins with no changes.
  mutating func finish() -> Changes?
  /// Discards the recorded changes without delivering them.
  mutating func forget()
  /// Replaces the collection. The next event is a reset.
  mutating func reset(to elements: Elements)
  /// Makes the edits of a changeset.
  mutating func apply(_ changes: Changes)
  /// Replaces the storage with that of an equal collection, to share it. No change is recorded.
  mutating func share(_ elements: Elements)
}

extension CollectionEditor {
  /// Discards the result of ``finish()``, for editors where building it is cheap.
  @inlinable
  public mutating func forget() {
    _ = finish()
    isReset = false
  }
}

/// A collection of values by key: `Dictionary`.
public protocol DictionaryBase: CollectionBase
where
  Elements == SharedDictionary<Key, Value>, Changes == DictionaryChanges<Key, Value>,
  Editor == DictionaryEditor<Key, Value>
{
  /// The key type.
  associatedtype Key: Hashable
  /// The value type.
  associatedtype Value
}

extension Dictionary: DictionaryBase {
  /// The storage of the dictionary.
  public typealias Elements = SharedDictionary<Key, Value>
  /// The changeset type of the dictionary.
  public typealias Changes = DictionaryChanges<Key, Value>
  /// The type that edits the dictionary.
  public typealias Editor = DictionaryEditor<Key, Value>
}

/// A collection of unique members: `Set`.
public protocol SetBase: CollectionBase
where
  Elements == SharedSet<Member>, Changes == SetChanges<Member>, Editor == SetEditor<Member>
{
  /// The member type.
  associatedtype Member: Hashable
}

extension Set: SetBase {
  /// The member type.
  public typealias Member = Element
  /// The storage of the set.
  public typealias Elements = SharedSet<Element>
  /// The changeset type of the set.
  public typealias Changes = SetChanges<Element>
  /// The type that edits the set.
  public typealias Editor = SetEditor<Element>
}

/// An ordered collection with integer indices: `Array`.
public protocol ListBase: CollectionBase
where
  Elements == SharedArray<Element>, Changes == ListChanges<Element>, Editor == ListEditor<Element>
{
  /// The element type.
  associatedtype Element
}

extension Array: ListBase {
  /// The storage of the list.
  public typealias Elements = SharedArray<Element>
  /// The changeset type of the list.
  public typealias Changes = ListChanges<Element>
  /// The type that edits the list.
  public typealias Editor = ListEditor<Element>
}
