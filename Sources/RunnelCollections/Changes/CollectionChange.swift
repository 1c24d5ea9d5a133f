/// What an event says of a collection.
public enum CollectionChange<Changes> {
  /// The observer is new: this is what there is.
  case initial
  /// It is another collection: whatever was known of it does not hold any more.
  case reset
  /// Some of it has changed.
  case changes(Changes)
}

extension CollectionChange: Sendable where Changes: Sendable {}

/// A collection as it is now, and what has become of the one before.
public struct CollectionEvent<Base: CollectionBase> {
  /// All there is after the change. To keep it copies nothing: it shares with what comes later.
  public let collection: Base.Elements
  /// What has happened.
  public let change: CollectionChange<Base.Changes>

  @inlinable
  package init(_ collection: Base.Elements, _ change: CollectionChange<Base.Changes>) {
    self.collection = collection
    self.change = change
  }

  /// What has changed; nil at first and after a reset, when all of it has.
  public var changes: Base.Changes? {
    if case .changes(let changes) = change { changes } else { nil }
  }
}

extension CollectionEvent: Sendable where Base.Elements: Sendable, Base.Changes: Sendable {}

/// What a ``CollectionProperty`` can be of: `Array`, `Dictionary` and `Set`.
public protocol CollectionBase {
  /// How it is kept.
  associatedtype Elements: SharedCollection
  /// What can happen to it.
  associatedtype Changes: Changeset
  /// What makes the edits.
  associatedtype Editor: CollectionEditor<Elements, Changes>
}

/// What makes the edits of a kind of collection, and knows what they come to. The four that there
/// are belong to this module.
public protocol CollectionEditor<Elements, Changes> {
  /// How the collection is kept.
  associatedtype Elements
  /// What can have happened to it.
  associatedtype Changes

  /// Whether it can be edited in the middle of an edit, by an `==` that is asked.
  static var canNest: Bool { get }
  /// An editor of a collection to which nothing has happened yet.
  init(_ elements: Elements)
  /// The collection as it stands.
  var elements: Elements { get }
  /// Whether the next event is a reset: it has become another collection.
  var isReset: Bool { get set }
  /// Whether there are edits that nobody was told of.
  var isTouched: Bool { get }
  /// What the edits since the last time come to, if anything.
  mutating func finish() -> Changes?
  /// Lets go of what the edits since the last time come to: nobody is to be told.
  mutating func forget()
  /// Makes it another collection, and says no more of it than that.
  mutating func reset(to elements: Elements)
  /// Makes the edits of a change.
  mutating func apply(_ changes: Changes)
  /// Has an equal collection in place of its own, to share with it. Nobody is told.
  mutating func share(_ elements: Elements)
}

extension CollectionEditor {
  /// Does what ``finish()`` does, where that is as little work.
  @inlinable
  public mutating func forget() {
    _ = finish()
    isReset = false
  }
}

/// What has values under keys: `Dictionary`.
public protocol DictionaryBase: CollectionBase
where
  Elements == SharedDictionary<Key, Value>, Changes == DictionaryChanges<Key, Value>,
  Editor == DictionaryEditor<Key, Value>
{
  /// What its values go by.
  associatedtype Key: Hashable
  /// What it has.
  associatedtype Value
}

extension Dictionary: DictionaryBase {
  /// How it is kept.
  public typealias Elements = SharedDictionary<Key, Value>
  /// What can happen to it.
  public typealias Changes = DictionaryChanges<Key, Value>
  /// What makes the edits.
  public typealias Editor = DictionaryEditor<Key, Value>
}

/// What has members: `Set`.
public protocol SetBase: CollectionBase
where
  Elements == SharedSet<Member>, Changes == SetChanges<Member>, Editor == SetEditor<Member>
{
  /// What it has.
  associatedtype Member: Hashable
}

extension Set: SetBase {
  /// What it has.
  public typealias Member = Element
  /// How it is kept.
  public typealias Elements = SharedSet<Element>
  /// What can happen to it.
  public typealias Changes = SetChanges<Element>
  /// What makes the edits.
  public typealias Editor = SetEditor<Element>
}

/// What is kept in order and known by index: `Array`.
public protocol ListBase: CollectionBase
where
  Elements == SharedArray<Element>, Changes == ListChanges<Element>, Editor == ListEditor<Element>
{
  /// What it has.
  associatedtype Element
}

extension Array: ListBase {
  /// How it is kept.
  public typealias Elements = SharedArray<Element>
  /// What can happen to it.
  public typealias Changes = ListChanges<Element>
  /// What makes the edits.
  public typealias Editor = ListEditor<Element>
}
