import RunnelStreams

extension ObservableCollection where Base: SetBase {
  /// Returns true when the set contains a member now.
  @inlinable
  public func contains(_ member: Base.Member) -> Bool { value.contains(member) }

  /// Returns true when a sequence contains all current members.
  @inlinable
  public func isSubset(of others: some Sequence<Base.Member>) -> Bool {
    value.isSubset(of: SharedSet(others))
  }

  /// Returns true when the set contains all elements of a sequence now.
  @inlinable
  public func isSuperset(of others: some Sequence<Base.Member>) -> Bool {
    others.allSatisfy(value.contains)
  }

  /// Returns true when a sequence contains all current members and others.
  @inlinable
  public func isStrictSubset(of others: some Sequence<Base.Member>) -> Bool {
    let (value, others) = (value, SharedSet(others))
    return value.count < others.count && value.isSubset(of: others)
  }

  /// Returns true when the set contains all elements of a sequence now, and others.
  @inlinable
  public func isStrictSuperset(of others: some Sequence<Base.Member>) -> Bool {
    let (value, others) = (value, SharedSet(others))
    return others.count < value.count && others.isSubset(of: value)
  }

  /// Returns true when the set contains no element of a sequence now.
  @inlinable
  public func isDisjoint(with others: some Sequence<Base.Member>) -> Bool {
    !others.contains(where: value.contains)
  }
}

extension CollectionProperty where Base: SetBase {
  /// Creates a property of a set.
  ///
  ///     let tags = CollectionProperty(Set(["new"]))
  ///     tags.insert("urgent")
  ///     tags.remove("new")
  @inlinable
  public convenience init<Member: Hashable>(
    _ members: Set<Member>, file: StaticString = #fileID, line: UInt = #line
  ) where Base == Set<Member> {
    self.init(editor: SetEditor(SharedSet(members)), file: file, line: line)
  }

  /// Creates a property of an empty set.
  @inlinable
  public convenience init<Member: Hashable>(
    file: StaticString = #fileID, line: UInt = #line
  ) where Base == Set<Member> {
    self.init(editor: SetEditor(), file: file, line: line)
  }

  /// Inserts a member, unless an equal one exists. Returns true with the new member, or false with
  /// the existing one. No event is sent if the member exists.
  @inlinable
  @discardableResult
  public func insert(
    _ member: Base.Member
  ) -> (inserted: Bool, memberAfterInsert: Base.Member) {
    live.editOne { $0.insert(member) }
  }

  /// Removes and returns a member. No event is sent if it does not exist.
  @inlinable
  @discardableResult
  public func remove(_ member: Base.Member) -> Base.Member? {
    live.editOne { $0.remove(member) }
  }

  /// Removes and returns an arbitrary member, or returns nil if the set is empty.
  @inlinable
  public func popFirst() -> Base.Member? {
    // A member that is not equal to itself cannot be removed.
    value.first { value.contains($0) }.flatMap { remove($0) }
  }

  /// Deletes all members. Observers receive deletes, not a reset.
  @inlinable
  public func removeAll() {
    live.edit { $0.replace(with: []) }
  }

  /// Inserts the elements of a sequence.
  @inlinable
  public func formUnion(_ others: some Sequence<Base.Member>) {
    let others = Array(others)
    live.edit { for other in others { $0.insert(other) } }
  }

  /// Removes the elements of a sequence.
  @inlinable
  public func subtract(_ others: some Sequence<Base.Member>) {
    let others = Array(others)
    live.edit { for other in others { $0.remove(other) } }
  }

  /// Removes the members that a sequence does not contain.
  @inlinable
  public func formIntersection(_ others: some Sequence<Base.Member>) {
    let kept = SharedSet(others)
    live.edit { $0.replace(with: $0.elements.intersection(kept)) }
  }

  /// Removes the members that another set contains, and inserts the rest of that set.
  @inlinable
  public func formSymmetricDifference(_ others: some Sequence<Base.Member>) {
    let others = SharedSet(others)
    live.edit { for other in others where $0.remove(other) == nil { $0.insert(other) } }
  }

  /// Replaces the set. Observers receive a reset without the differences.
  @inlinable
  public func replace(with members: some Sequence<Base.Member>) {
    let new = SharedSet(members)
    live.edit { $0.reset(to: new) }
  }
}
