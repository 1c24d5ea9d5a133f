/// A change of a set, by member. Applying it to the old set yields the new one.
///
/// No member is in both parts. A member that was inserted and removed within one batch is in
/// neither.
public struct SetChanges<Member: Hashable> {
  /// The inserted members.
  public let inserts: SharedSet<Member>
  /// The deleted members.
  public let deletes: SharedSet<Member>

  @inlinable package init(inserts: SharedSet<Member>, deletes: SharedSet<Member>) {
    (self.inserts, self.deletes) = (inserts, deletes)
  }
}

extension SetChanges: Equatable {}
extension SetChanges: Sendable where Member: Sendable {}

extension SetChanges {
  /// The change that undoes this one.
  @inlinable public var inverse: SetChanges {
    SetChanges(inserts: deletes, deletes: inserts)
  }

  /// Applies the change to the old set, which becomes the new one.
  @inlinable public func apply(to set: inout SharedSet<Member>) {
    for member in deletes { set.remove(member) }
    for member in inserts { set.insert(member) }
  }
}
