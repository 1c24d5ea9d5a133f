import RunnelStreams

extension ObservableCollection where Base: SetBase {
  /// Returns the live set of the members that satisfy a predicate.
  ///
  ///     let tags = CollectionProperty(Set(["new", "urgent"]))
  ///     let long = tags.filter { $0.count > 3 }
  ///     print(long.contains("urgent"))  // true
  ///
  /// The closure runs once for each initial or inserted member.
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

  /// Returns the live set of the members that satisfy the latest predicate of a stream. It is empty
  /// before the first predicate.
  ///
  ///     let tags = CollectionProperty(Set(["new", "urgent"]))
  ///     let search = Property("u")
  ///     let found = tags.filter(by: search.map { text in { $0.hasPrefix(text) } })
  ///     search.value = "n"
  ///     print(found.value)  // ["new"]
  ///
  /// *Events*: a new predicate sends one event, which contains only the members whose result
  /// differs. A predicate that arrives during a batch of the source does not wait: it is applied to
  /// the members before the batch.
  @inlinable
  public func filter(
    by predicates: any StreamConvertible<(Base.Member) -> Bool, Never>
  ) -> LiveCollection<Set<Base.Member>> {
    members.filter(by: predicates).asSet()
  }

  /// Returns the live set of the members whose own stream sent true last.
  ///
  ///     let busy = Property(Set(["Jim"]))
  ///     let crew = CollectionProperty(Set(["Jim", "Bones"]))
  ///     let free = crew.filter(whereLatest: { name in busy.map { !$0.contains(name) } })
  ///     busy.value = []
  ///     print(free.count)  // 2
  ///
  /// *Disposal*: as for ``ObservableList/filter(whereLatest:)``.
  @inlinable
  public func filter<Condition: StreamConvertible>(
    whereLatest condition: @escaping (Base.Member) -> Condition
  ) -> LiveCollection<Set<Base.Member>>
  where Condition.Element == Bool, Condition.Failure == Never {
    members.filter(whereLatest: condition).asSet()
  }

  /// Returns the members in groups with the same key, as ``ObservableList/grouped(by:)`` does.
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

  /// Returns the live list of the closure's non-nil results, in the order of ``members``.
  @inlinable
  public func compactMap<Output>(
    _ transform: @escaping (Base.Member) -> Output?
  ) -> LiveCollection<[Output]> {
    members.compactMap(transform)
  }

  /// Returns the live list of the closure's results, in the order in which the members were
  /// inserted.
  ///
  ///     let tags = CollectionProperty(Set(["new", "urgent"]))
  ///     let lengths = tags.map { $0.count }
  ///     print(lengths.value.count)  // 2
  ///
  /// The order of the initial members, and of members inserted in one batch, is unspecified.
  @inlinable
  public func map<Output>(
    _ transform: @escaping (Base.Member) -> Output
  ) -> LiveCollection<[Output]> {
    members.map(transform)
  }

  /// Returns the members as a live sorted list.
  ///
  ///     let tags = CollectionProperty(Set(["urgent", "new"]))
  ///     let shortestFirst = tags.sorted { $0.count < $1.count }
  ///     print(shortestFirst.value)  // ["new", "urgent"]
  ///
  /// *Complexity*: logarithmic for each inserted or deleted member.
  @inlinable
  public func sorted(
    by areInIncreasingOrder: @escaping (Base.Member, Base.Member) -> Bool
  ) -> LiveCollection<[Base.Member]> {
    members.sorted(by: areInIncreasingOrder)
  }

  /// Returns the members as a live list, sorted by the latest closure of a stream. Before the first
  /// closure it has the order of ``members``.
  ///
  ///     let tags = CollectionProperty(Set(["urgent", "new"]))
  ///     let order = Property<(String, String) -> Bool>(<)
  ///     let sorted = tags.sorted(by: order)
  ///     order.value = (>)
  ///     print(sorted.value)  // ["urgent", "new"]
  ///
  /// *Events*: a new order sends one event with a minimal number of moves.
  @inlinable
  public func sorted(
    by orders: any StreamConvertible<(Base.Member, Base.Member) -> Bool, Never>
  ) -> LiveCollection<[Base.Member]> {
    members.sorted(by: orders)
  }

  /// Returns the members as a live list in ascending order.
  @inlinable
  public func sorted() -> LiveCollection<[Base.Member]> where Base.Member: Comparable {
    sorted(by: <)
  }

  /// The members as a live list in insertion order. New members are appended.
  ///
  ///     let tags = CollectionProperty(Set(["new"]))
  ///     let members = tags.members
  ///     tags.insert("urgent")
  ///     print(members.value)  // ["new", "urgent"]
  ///
  /// The order of the initial members, and of members inserted in one batch, is unspecified. Each
  /// access creates a new list.
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
