import RunnelStreams

extension ObservableCollection where Base: SetBase {
  /// Whether something is a member now.
  @inlinable
  public func contains(_ member: Base.Member) -> Bool { value.contains(member) }

  /// Whether all members are in something else now.
  @inlinable
  public func isSubset(of others: some Sequence<Base.Member>) -> Bool {
    value.isSubset(of: SharedSet(others))
  }

  /// Whether all of something else are members now.
  @inlinable
  public func isSuperset(of others: some Sequence<Base.Member>) -> Bool {
    others.allSatisfy(value.contains)
  }

  /// Whether all members are in something else now, which has others too.
  @inlinable
  public func isStrictSubset(of others: some Sequence<Base.Member>) -> Bool {
    let (value, others) = (value, SharedSet(others))
    return value.count < others.count && value.isSubset(of: others)
  }

  /// Whether all of something else are members now, and there are others too.
  @inlinable
  public func isStrictSuperset(of others: some Sequence<Base.Member>) -> Bool {
    let (value, others) = (value, SharedSet(others))
    return others.count < value.count && others.isSubset(of: value)
  }

  /// Whether nothing of something else is a member now.
  @inlinable
  public func isDisjoint(with others: some Sequence<Base.Member>) -> Bool {
    !others.contains(where: value.contains)
  }
}

extension CollectionProperty where Base: SetBase {
  /// A property of a set.
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

  /// A property of an empty set.
  @inlinable
  public convenience init<Member: Hashable>(
    file: StaticString = #fileID, line: UInt = #line
  ) where Base == Set<Member> {
    self.init(editor: SetEditor(), file: file, line: line)
  }

  /// Adds a member; nothing is sent if it is there. Returns whether it was added, and the one that is
  /// there then.
  @inlinable
  @discardableResult
  public func insert(
    _ member: Base.Member
  ) -> (inserted: Bool, memberAfterInsert: Base.Member) {
    live.editOne { $0.insert(member) }
  }

  /// Takes out a member and returns it; nothing is sent if it is not there.
  @inlinable
  @discardableResult
  public func remove(_ member: Base.Member) -> Base.Member? {
    live.editOne { $0.remove(member) }
  }

  /// Takes out some member and returns it, if there is one.
  @inlinable
  public func popFirst() -> Base.Member? {
    // One that is not equal to itself cannot be taken out.
    value.first { value.contains($0) }.flatMap { remove($0) }
  }

  /// Takes out all members: they are deleted, which is not a reset.
  @inlinable
  public func removeAll() {
    live.edit { $0.replace(with: []) }
  }

  /// Adds the members of something else.
  @inlinable
  public func formUnion(_ others: some Sequence<Base.Member>) {
    let others = Array(others)
    live.edit { for other in others { $0.insert(other) } }
  }

  /// Takes out the members of something else.
  @inlinable
  public func subtract(_ others: some Sequence<Base.Member>) {
    let others = Array(others)
    live.edit { for other in others { $0.remove(other) } }
  }

  /// Takes out what is not in something else.
  @inlinable
  public func formIntersection(_ others: some Sequence<Base.Member>) {
    let kept = SharedSet(others)
    live.edit { $0.replace(with: $0.elements.intersection(kept)) }
  }

  /// Takes out the members that are in something else too, and adds the others of that.
  @inlinable
  public func formSymmetricDifference(_ others: some Sequence<Base.Member>) {
    let others = SharedSet(others)
    live.edit { for other in others where $0.remove(other) == nil { $0.insert(other) } }
  }

  /// Makes it another set: observers are told of a reset, and not of what is different.
  @inlinable
  public func replace(with members: some Sequence<Base.Member>) {
    let new = SharedSet(members)
    live.edit { $0.reset(to: new) }
  }
}
