import RunnelStreams

extension ObservableCollection where Base: SetBase {
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
    let start = value
    let derived = LiveCollection<Set<Base.Member>>(
      SetEditor(SharedSet(start.lazy.filter(isIncluded))))
    let core = derived.core
    derived.follow(live, since: start) { event in
      guard let changes = event.changes else {
        return core.editor.reset(to: SharedSet(event.collection.lazy.filter(isIncluded)))
      }
      for member in changes.deletes { core.editor.remove(member) }
      for member in changes.inserts where isIncluded(member) { core.editor.insert(member) }
    }
    return derived
  }

  /// The set of those members of which the latest predicate of a stream holds; of none before the first
  /// predicate has come.
  ///
  ///     let tags = CollectionProperty(Set(["new", "urgent"]))
  ///     let search = Property("u")
  ///     let found = tags.filter(by: search.map { text in { $0.hasPrefix(text) } })
  ///     search.value = "n"
  ///     print(found.value)  // ["new"]
  ///
  /// *Events*: a new predicate is one event, of those members alone for which it makes a difference. One
  /// that comes within a batch of the source does not wait for it: it is asked of what was there before.
  @inlinable
  public func filter(
    by predicates: some StreamConvertible<(Base.Member) -> Bool, Never>
  ) -> LiveCollection<Set<Base.Member>> {
    members.filter(by: predicates).asSet()
  }

  /// The set of those members for which the latest value of a stream of their own is true.
  ///
  ///     let busy = Property(Set(["Jim"]))
  ///     let crew = CollectionProperty(Set(["Jim", "Bones"]))
  ///     let free = crew.filter(whereLatest: { name in busy.map { !$0.contains(name) } })
  ///     busy.value = []
  ///     print(free.count)  // 2
  ///
  /// *Disposal*: as ``ObservableList/filter(whereLatest:)``.
  @inlinable
  public func filter<Condition: StreamConvertible>(
    whereLatest condition: @escaping (Base.Member) -> Condition
  ) -> LiveCollection<Set<Base.Member>>
  where Condition.Element == Bool, Condition.Failure == Never {
    members.filter(whereLatest: condition).asSet()
  }

  /// The members in groups of those that have something in common, as ``ObservableList/grouped(by:)``
  /// makes them.
  ///
  ///     let tags = CollectionProperty(Set(["new", "red", "urgent"]))
  ///     let byLength = tags.grouped { $0.count }
  ///     print(byLength.count)  // 2
  @inlinable
  public func grouped<Key: Hashable>(
    by key: @escaping (Base.Member) -> Key
  ) -> LiveCollection<[ListGroup<Key, Base.Member>]> {
    members.grouped(by: key)
  }

  /// What the closure makes of each member, without those of which it makes nil, as a list in the order
  /// of ``members``.
  @inlinable
  public func compactMap<Output>(
    _ transform: @escaping (Base.Member) -> Output?
  ) -> LiveCollection<[Output]> {
    members.compactMap(transform)
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

  /// The members in the order of the latest closure of a stream; that of ``members`` before the first
  /// one has come.
  ///
  ///     let tags = CollectionProperty(Set(["urgent", "new"]))
  ///     let order = Property<(String, String) -> Bool>(<)
  ///     let sorted = tags.sorted(by: order)
  ///     order.value = (>)
  ///     print(sorted.value)  // ["urgent", "new"]
  ///
  /// *Events*: a new order is one event, in which as few members as possible move.
  @inlinable
  public func sorted(
    by orders: some StreamConvertible<(Base.Member, Base.Member) -> Bool, Never>
  ) -> LiveCollection<[Base.Member]> {
    members.sorted(by: orders)
  }

  /// The members, as a list with the least one first.
  @inlinable
  public func sorted() -> LiveCollection<[Base.Member]> where Base.Member: Comparable {
    sorted(by: <)
  }

  /// The members, as a list: in the order in which they came, new ones at the end.
  ///
  ///     let tags = CollectionProperty(Set(["new"]))
  ///     let members = tags.members
  ///     tags.insert("urgent")
  ///     print(members.value)  // ["new", "urgent"]
  ///
  /// Those that came together, at first or in one batch, are in no order of their own. Each time it is
  /// asked for, it is another list that follows.
  @inlinable
  public var members: LiveCollection<[Base.Member]> {
    let start = value
    let roster = InsertionOrderedList<Base.Member, Base.Member>()
    let derived = LiveCollection<[Base.Member]>(roster.output)
    derived.batch { roster.reset(to: start.lazy.map { ($0, $0) }) }
    derived.follow(live, since: start) { event in
      guard let changes = event.changes else {
        return roster.reset(to: event.collection.lazy.map { ($0, $0) })
      }
      for member in changes.deletes { roster.set(member, to: nil) }
      for member in changes.inserts { roster.set(member, to: member) }
    }
    return derived
  }
}
