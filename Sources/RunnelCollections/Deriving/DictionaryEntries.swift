import RunnelStreams

extension ObservableCollection where Base: DictionaryBase {
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
    let start = value
    let roster = InsertionOrderedList<Base.Key, (key: Base.Key, value: Base.Value)>()
    let derived = LiveCollection<[(key: Base.Key, value: Base.Value)]>(roster.output)
    derived.batch { roster.reset(to: start.lazy.map { ($0.key, $0) }) }
    derived.follow(live, since: start) { event in
      guard let changes = event.changes else {
        return roster.reset(to: event.collection.lazy.map { ($0.key, $0) })
      }
      changes.forEach { key, value in roster.set(key, to: value.map { (key, $0) }) }
    }
    return derived
  }

  /// The values, as a list, in the order of ``entries``. Each time it is asked for, it is another
  /// list that follows: to read all once, ask `ages.value.values`.
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

  /// The keys with their values, in the order of the latest closure of a stream; that of ``entries``
  /// before the first one has come.
  ///
  ///     typealias Entry = (key: String, value: Int)
  ///     let ages = CollectionProperty(["Jim": 33, "Bones": 39])
  ///     let isByName = Property(true)
  ///     let sorted = ages.sorted(
  ///       by: isByName.map { isByName -> (Entry, Entry) -> Bool in
  ///         isByName ? { $0.key < $1.key } : { $0.value < $1.value }
  ///       })
  ///     print(sorted.value.map { $0.key })  // ["Bones", "Jim"]
  ///
  /// *Events*: a new order is one event, in which as few entries as possible move.
  @inlinable
  public func sorted(
    by orders: some StreamConvertible<
      ((key: Base.Key, value: Base.Value), (key: Base.Key, value: Base.Value)) -> Bool, Never
    >
  ) -> LiveCollection<[(key: Base.Key, value: Base.Value)]> {
    entries.sorted(by: orders)
  }

  /// The keys with their values in groups of those that have something in common, as
  /// ``ObservableList/grouped(by:)`` makes them.
  ///
  ///     let ages = CollectionProperty(["Jim": 33, "Bones": 39, "Molly": 7])
  ///     let byAdulthood = ages.grouped { $0.value >= 18 }
  ///     print(byAdulthood.count)  // 2
  @inlinable
  public func grouped<GroupKey: Hashable>(
    by key: @escaping ((key: Base.Key, value: Base.Value)) -> GroupKey
  ) -> LiveCollection<[ListGroup<GroupKey, (key: Base.Key, value: Base.Value)>]> {
    entries.grouped(by: key)
  }

  /// What the closure makes of each key and its value, as a list, in the order of ``entries``.
  ///
  ///     let ages = CollectionProperty(["Jim": 33])
  ///     let texts = ages.map { "\($0.key) is \($0.value)" }
  ///     print(texts.value)  // ["Jim is 33"]
  @inlinable
  public func map<Output>(
    _ transform: @escaping ((key: Base.Key, value: Base.Value)) -> Output
  ) -> LiveCollection<[Output]> {
    entries.map(transform)
  }

  /// What the closure makes of each key and its value, without those of which it makes nil, as a list in
  /// the order of ``entries``.
  @inlinable
  public func compactMap<Output>(
    _ transform: @escaping ((key: Base.Key, value: Base.Value)) -> Output?
  ) -> LiveCollection<[Output]> {
    entries.compactMap(transform)
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
