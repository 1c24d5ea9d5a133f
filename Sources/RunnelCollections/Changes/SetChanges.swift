/// What happened to a set, by member: to apply it to the set before makes the set after.
///
/// No member is in both parts; what came and went within one batch is nowhere.
public struct SetChanges<Member: Hashable> {
  /// The members that are new.
  public let inserts: SharedSet<Member>
  /// The members that are gone.
  public let deletes: SharedSet<Member>

  @inlinable package init(inserts: SharedSet<Member>, deletes: SharedSet<Member>) {
    (self.inserts, self.deletes) = (inserts, deletes)
  }
}

extension SetChanges: Equatable {}
extension SetChanges: Sendable where Member: Sendable {}

extension SetChanges {
  /// What takes these changes back.
  @inlinable public var inverse: SetChanges {
    SetChanges(inserts: deletes, deletes: inserts)
  }

  /// Makes the set after the changes of the one before them.
  @inlinable public func apply(to set: inout SharedSet<Member>) {
    for member in deletes { set.remove(member) }
    for member in inserts { set.insert(member) }
  }
}
