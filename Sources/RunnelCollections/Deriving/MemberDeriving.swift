import RunnelStreams

extension ObservableCollection where Base: MemberBase {
  /// The set of those members of which something holds.
  ///
  ///     let tags = CollectionProperty(Set(["new", "urgent"]))
  ///     let long = tags.filter { $0.count > 3 }
  ///     print(long.contains("urgent"))  // true
  ///
  /// The closure runs once for each member that is there or inserted.
  @inlinable
  public func filter(
    _ isIncluded: @escaping (Base.Member) -> Bool
  ) -> LiveCollection<Set<Base.Member>> {
    live.publish()
    let derived = LiveCollection<Set<Base.Member>>(
      MemberEditor(SharedSet(value.lazy.filter(isIncluded))))
    let core = derived.core
    derived.follow(live) { event in
      guard let changes = event.changes else {
        return core.editor.reset(to: SharedSet(event.collection.lazy.filter(isIncluded)))
      }
      for member in changes.deletes { core.editor.remove(member) }
      for member in changes.inserts where isIncluded(member) { core.editor.insert(member) }
    }
    return derived
  }

  /// What the closure makes of each member, as a list: in the order in which the members came, new
  /// ones at the end.
  ///
  ///     let tags = CollectionProperty(Set(["new", "urgent"]))
  ///     let lengths = tags.map { $0.count }
  ///     print(lengths.value.count)  // 2
  ///
  /// Those that came together, at first or in one batch, are in no order of their own.
  @inlinable
  public func map<Output>(
    _ transform: @escaping (Base.Member) -> Output
  ) -> LiveCollection<[Output]> {
    members.map(transform)
  }

  /// The members, as a list in an order of its own.
  ///
  ///     let tags = CollectionProperty(Set(["urgent", "new"]))
  ///     let shortestFirst = tags.sorted { $0.count < $1.count }
  ///     print(shortestFirst.value)  // ["new", "urgent"]
  ///
  /// *Complexity*: logarithmic for each member that comes or goes.
  @inlinable
  public func sorted(
    by areInIncreasingOrder: @escaping (Base.Member, Base.Member) -> Bool
  ) -> LiveCollection<[Base.Member]> {
    members.sorted(by: areInIncreasingOrder)
  }

  /// The members, as a list with the least one first.
  @inlinable
  public func sorted() -> LiveCollection<[Base.Member]> where Base.Member: Comparable {
    sorted(by: <)
  }

  /// The members in the order in which they came.
  @inlinable
  var members: LiveCollection<[Base.Member]> {
    live.publish()
    let roster = Roster<Base.Member, Base.Member>()
    let derived = LiveCollection<[Base.Member]>(roster.output)
    derived.batch { roster.reset(to: value.lazy.map { ($0, $0) }) }
    derived.follow(live) { event in
      guard let changes = event.changes else {
        return roster.reset(to: event.collection.lazy.map { ($0, $0) })
      }
      for member in changes.deletes { roster.set(member, to: nil) }
      for member in changes.inserts { roster.set(member, to: member) }
    }
    return derived
  }
}
