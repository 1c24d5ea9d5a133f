/// What happened to a set, by member: to apply it to the set before makes the set after.
///
/// No member is in both parts; what came and went within one batch is nowhere.
public struct MemberChanges<Member: Hashable> {
  /// The members that are new.
  public internal(set) var inserts: Set<Member> = []
  /// The members that are gone.
  public internal(set) var deletes: Set<Member> = []

  init() {}
}

extension MemberChanges: Equatable {}
extension MemberChanges: Sendable where Member: Sendable {}

extension MemberChanges {
  /// Whether nothing happened; such changes are never sent.
  public var isEmpty: Bool { inserts.isEmpty && deletes.isEmpty }

  /// What takes these changes back.
  public var inverse: MemberChanges {
    var inverse = MemberChanges()
    inverse.inserts = deletes
    inverse.deletes = inserts
    return inverse
  }

  /// Makes the set after the changes of the one before them.
  public func apply(to set: inout SharedSet<Member>) {
    for member in deletes { set.remove(member) }
    for member in inserts { set.insert(member) }
  }
}
