/// A set that notes what is done to it, until it is asked for the changes of a batch.
@usableFromInline
package struct MemberEditor<Member: Hashable> {
  @usableFromInline var state: SharedSet<Member>
  /// The set as it is now.
  @inlinable package var elements: SharedSet<Member> { state }
  @usableFromInline var inserts: Set<Member> = []
  @usableFromInline var deletes: Set<Member> = []

  @inlinable package init(_ elements: SharedSet<Member> = SharedSet()) { state = elements }

  /// Adds a member unless an equal one is there.
  @discardableResult
  @inlinable package mutating func insert(_ member: Member) -> (
    inserted: Bool, memberAfterInsert: Member
  ) {
    let result = state.insert(member)
    if result.inserted, deletes.remove(member) == nil { inserts.insert(member) }
    return result
  }

  /// Removes a member and returns it.
  @discardableResult
  @inlinable package mutating func remove(_ member: Member) -> Member? {
    let removed = state.remove(member)
    if let removed, inserts.remove(removed) == nil { deletes.insert(removed) }
    return removed
  }

  /// Removes all members.
  @inlinable package mutating func removeAll() { for member in elements { remove(member) } }

  /// Puts another set in place of this one, as the edits that lead to it.
  @inlinable package mutating func replace(with other: SharedSet<Member>) {
    for member in elements where !other.contains(member) { remove(member) }
    for member in other { insert(member) }
  }

  /// What happened since the last time, or since the beginning; `nil` where that is nothing.
  @inlinable package mutating func finish() -> MemberChanges<Member>? {
    guard !inserts.isEmpty || !deletes.isEmpty else { return nil }
    defer { (inserts, deletes) = ([], []) }
    return MemberChanges(inserts: inserts, deletes: deletes)
  }
}

extension MemberEditor: Sendable where Member: Sendable {}
