/// A set with a record of its changes since the last event.
public struct SetEditor<Member: Hashable> {
  @usableFromInline var state: SharedSet<Member>
  /// The current set.
  @inlinable public var elements: SharedSet<Member> { state }
  /// True when the set was replaced since the last event.
  public var isReset = false
  @usableFromInline var inserts: SharedSet<Member> = []
  @usableFromInline var deletes: SharedSet<Member> = []

  /// True when there are edits that were not delivered yet.
  @inlinable public var isTouched: Bool { isReset || !inserts.isEmpty || !deletes.isEmpty }

  /// Creates an editor of a set, without changes.
  @inlinable public init(_ elements: SharedSet<Member> = SharedSet<Member>()) { state = elements }

  /// Inserts a member unless an equal one exists. If an equal member was removed since the last
  /// event, that instance is restored and no change remains.
  @discardableResult
  @inlinable package mutating func insert(_ member: Member) -> (
    inserted: Bool, memberAfterInsert: Member
  ) {
    let removed = deletes.isEmpty ? nil : deletes.remove(member)
    let result = state.insert(removed ?? member)
    if result.inserted {
      if removed == nil { inserts.insert(member) }
    } else if let removed {
      deletes.insert(removed)
    }
    return result
  }

  @discardableResult
  @inlinable package mutating func remove(_ member: Member) -> Member? {
    let removed = state.remove(member)
    if let removed, inserts.remove(removed) == nil { deletes.insert(removed) }
    return removed
  }

  @inlinable package mutating func replace(with other: SharedSet<Member>) {
    for member in elements where !other.contains(member) { remove(member) }
    for member in other { insert(member) }
    // A member that is not equal to itself cannot be removed.
    if state.count != other.count { reset(to: other) }
  }

  /// Returns the changes since the last call, or nil if there are none.
  @inlinable public mutating func finish() -> SetChanges<Member>? {
    guard !inserts.isEmpty || !deletes.isEmpty else { return nil }
    defer { (inserts, deletes) = ([], []) }
    return SetChanges(inserts: inserts, deletes: deletes)
  }
}

extension SetEditor: CollectionEditor {
  /// False: a nested edit would change the set during a lookup.
  @inlinable public static var canNest: Bool { false }

  /// Replaces the set. The next event is a reset.
  @inlinable public mutating func reset(to elements: SharedSet<Member>) {
    self = SetEditor(elements)
    isReset = true
  }

  /// Makes the edits of a change.
  @inlinable public mutating func apply(_ changes: SetChanges<Member>) {
    for member in changes.deletes { remove(member) }
    for member in changes.inserts { insert(member) }
  }

  /// Replaces the storage with that of an equal set, to share it.
  @inlinable public mutating func share(_ elements: SharedSet<Member>) { state = elements }
}

extension SetEditor: Sendable where Member: Sendable {}
