import RunnelStreams

extension ObservableCollection where Base: KeyedBase {
  /// The keys with their values, as a list: in the order in which the keys came, new ones at the end.
  ///
  ///     let ages = CollectionProperty(["Jim": 33])
  ///     let entries = ages.entries
  ///     ages["Bones"] = 39
  ///     print(entries.value.map { $0.key })  // ["Jim", "Bones"]
  ///
  /// A key that is set again keeps its place. Those that came together, at first or in one batch,
  /// are in no order of their own: that is what ``sorted(by:)`` is for. Each time it is asked for,
  /// it is another list that follows.
  @inlinable
  public var entries: LiveCollection<[(key: Base.Key, value: Base.Value)]> {
    live.publish()
    let roster = Roster<Base.Key, (key: Base.Key, value: Base.Value)>()
    let derived = LiveCollection<[(key: Base.Key, value: Base.Value)]>(roster.output)
    derived.batch { roster.reset(to: value.lazy.map { ($0.key, $0) }) }
    derived.follow(live) { event in
      guard let changes = event.changes else {
        return roster.reset(to: event.collection.lazy.map { ($0.key, $0) })
      }
      changes.forEach { key, value in roster.set(key, to: value.map { (key, $0) }) }
    }
    return derived
  }

  /// The values, as a list, in the order of ``entries``.
  ///
  ///     let ages = CollectionProperty(["Jim": 33])
  ///     let total = ages.values.reduced(0, adding: +, removing: -)
  ///     total.observeNext { show($0) }
  @inlinable
  public var values: LiveCollection<[Base.Value]> { entries.map { $0.value } }

  /// The keys with their values, as a list in an order of its own. Those that are equal in it are in
  /// the order of ``entries``.
  ///
  ///     let ages = CollectionProperty(["Jim": 33, "Bones": 39])
  ///     let eldestFirst = ages.sorted { $0.value > $1.value }
  ///     print(eldestFirst.value.map { $0.key })  // ["Bones", "Jim"]
  ///
  /// *Complexity*: logarithmic for each key that comes, goes or is set.
  @inlinable
  public func sorted(
    by areInIncreasingOrder:
      @escaping (
        (key: Base.Key, value: Base.Value), (key: Base.Key, value: Base.Value)
      ) -> Bool
  ) -> LiveCollection<[(key: Base.Key, value: Base.Value)]> {
    entries.sorted(by: areInIncreasingOrder)
  }

  /// The keys with their values, as a list with the least key first.
  ///
  ///     let ages = CollectionProperty(["Jim": 33, "Bones": 39])
  ///     let byName = ages.sortedByKey()
  ///     print(byName.value.map { $0.value })  // [39, 33]
  @inlinable
  public func sortedByKey() -> LiveCollection<[(key: Base.Key, value: Base.Value)]>
  where Base.Key: Comparable {
    sorted { $0.key < $1.key }
  }
}
