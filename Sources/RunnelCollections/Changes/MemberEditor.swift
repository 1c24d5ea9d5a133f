/// A set that notes what is done to it, until it is asked for the changes of a batch.
package struct MemberEditor<Member: Hashable> {
  /// The set as it is now.
  package private(set) var elements: SharedSet<Member>
  private var changes = MemberChanges<Member>()

  package init(_ elements: SharedSet<Member> = SharedSet()) { self.elements = elements }

  /// Adds a member unless an equal one is there.
  @discardableResult
  package mutating func insert(_ member: Member) -> (inserted: Bool, memberAfterInsert: Member) {
    let result = elements.insert(member)
    if result.inserted, changes.deletes.remove(member) == nil { changes.inserts.insert(member) }
    return result
  }

  /// Removes a member and returns it.
  @discardableResult
  package mutating func remove(_ member: Member) -> Member? {
    let removed = elements.remove(member)
    if let removed, changes.inserts.remove(removed) == nil { changes.deletes.insert(removed) }
    return removed
  }

  /// Removes all members.
  package mutating func removeAll() { for member in elements { remove(member) } }

  /// Puts another set in place of this one, as the edits that lead to it.
  package mutating func replace(with other: SharedSet<Member>) {
    for member in elements where !other.contains(member) { remove(member) }
    for member in other { insert(member) }
  }

  /// What happened since the last time, or since the beginning; `nil` where that is nothing.
  package mutating func finish() -> MemberChanges<Member>? {
    guard !changes.isEmpty else { return nil }
    let finished = changes
    changes = MemberChanges()
    return finished
  }
}

extension MemberEditor: Sendable where Member: Sendable {}
