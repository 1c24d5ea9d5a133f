/// A set that notes what is done to it, until it is asked for the changes of a batch.
public struct SetEditor<Member: Hashable> {
  @usableFromInline var state: SharedSet<Member>
  /// The set as it is now.
  @inlinable public var elements: SharedSet<Member> { state }
  /// Whether it has become another collection since the last time.
  public var isReset = false
  @usableFromInline var inserts: SharedSet<Member> = []
  @usableFromInline var deletes: SharedSet<Member> = []

  /// Whether there are edits that nobody was told of.
  @inlinable public var isTouched: Bool { isReset || !inserts.isEmpty || !deletes.isEmpty }

  /// An editor of a collection to which nothing has happened yet.
  @inlinable public init(_ elements: SharedSet<Member> = SharedSet<Member>()) { state = elements }

  /// Adds a member unless an equal one is there. One that was removed and of which nobody was told comes
  /// back instead of an equal one: then nothing has happened.
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

  /// Removes a member and returns it.
  @discardableResult
  @inlinable package mutating func remove(_ member: Member) -> Member? {
    let removed = state.remove(member)
    if let removed, inserts.remove(removed) == nil { deletes.insert(removed) }
    return removed
  }

  /// Puts another set in place of this one, as the edits that lead to it.
  @inlinable package mutating func replace(with other: SharedSet<Member>) {
    for member in elements where !other.contains(member) { remove(member) }
    for member in other { insert(member) }
    // What is not equal to itself cannot be taken out.
    if state.count != other.count { reset(to: other) }
  }

  /// What happened since the last time, or since the beginning; `nil` where that is nothing.
  @inlinable public mutating func finish() -> SetChanges<Member>? {
    guard !inserts.isEmpty || !deletes.isEmpty else { return nil }
    defer { (inserts, deletes) = ([], []) }
    return SetChanges(inserts: inserts, deletes: deletes)
  }
}

extension SetEditor: CollectionEditor {
  /// It cannot: what it looks through would change meanwhile.
  @inlinable public static var canNest: Bool { false }

  /// Makes it another collection, and says no more of it than that.
  @inlinable public mutating func reset(to elements: SharedSet<Member>) {
    self = SetEditor(elements)
    isReset = true
  }

  /// Makes the edits of a change.
  @inlinable public mutating func apply(_ changes: SetChanges<Member>) {
    for member in changes.deletes { remove(member) }
    for member in changes.inserts { insert(member) }
  }

  /// Has an equal set in place of its own, to share with it.
  @inlinable public mutating func share(_ elements: SharedSet<Member>) { state = elements }
}

extension SetEditor: Sendable where Member: Sendable {}
