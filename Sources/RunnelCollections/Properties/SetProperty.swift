import RunnelStreams

extension ObservableCollection where Base: MemberBase {
  /// How many members there are now.
  @inlinable
  public var count: Int { value.count }

  /// Whether there are none now.
  @inlinable
  public var isEmpty: Bool { value.isEmpty }

  /// Whether something is a member now.
  @inlinable
  public func contains(_ member: Base.Member) -> Bool { value.contains(member) }
}

extension CollectionProperty where Base: MemberBase {
  /// A property of a set.
  ///
  ///     let tags = CollectionProperty(Set(["new"]))
  ///     tags.insert("urgent")
  ///     tags.remove("new")
  @inlinable
  public convenience init<Member: Hashable>(
    _ members: Set<Member>, file: StaticString = #fileID, line: UInt = #line
  ) where Base == Set<Member> {
    self.init(editor: MemberEditor(SharedSet(members)), file: file, line: line)
  }

  /// A property of an empty set.
  @inlinable
  public convenience init<Member: Hashable>(
    file: StaticString = #fileID, line: UInt = #line
  ) where Base == Set<Member> {
    self.init(editor: MemberEditor(), file: file, line: line)
  }

  /// Adds a member; nothing is sent if it is there. Returns whether it was added.
  @inlinable
  @discardableResult
  public func insert(_ member: Base.Member) -> Bool {
    live.edit { $0.insert(member).inserted }
  }

  /// Takes out a member and returns it; nothing is sent if it is not there.
  @inlinable
  @discardableResult
  public func remove(_ member: Base.Member) -> Base.Member? {
    live.edit { $0.remove(member) }
  }

  /// Takes out all members: they are deleted, which is not a reset.
  @inlinable
  public func removeAll() {
    live.edit { $0.removeAll() }
  }

  /// Adds the members of something else.
  @inlinable
  public func formUnion(_ others: some Sequence<Base.Member>) {
    live.edit { for other in others { $0.insert(other) } }
  }

  /// Takes out the members of something else.
  @inlinable
  public func subtract(_ others: some Sequence<Base.Member>) {
    live.edit { for other in others { $0.remove(other) } }
  }

  /// Takes out what is not in something else.
  @inlinable
  public func formIntersection(_ others: some Sequence<Base.Member>) {
    let kept = SharedSet(others)
    live.edit { editor in
      for member in editor.elements where !kept.contains(member) { editor.remove(member) }
    }
  }

  /// Makes it another set: observers are told of a reset, and not of what is different.
  @inlinable
  public func replace(with members: some Sequence<Base.Member>) {
    live.edit { $0.reset(to: SharedSet(members)) }
  }
}
