import RunnelStreams

extension ObservableCollection where Base: DictionaryBase {
  /// The entries as a live list in insertion order. New keys are appended.
  ///
  ///     let ages = CollectionProperty(["Jim": 33])
  ///     let entries = ages.entries
  ///     ages["Bones"] = 39
  ///     print(entries.value.map { $0.key })  // ["Jim", "Bones"]
  ///
  /// An updated key keeps its position. The order of the initial keys, and of keys inserted in one
  /// batch, is unspecified; use `sorted(by:)` for a defined order. Each access creates a new
  /// list.
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

  /// The values as a live list, in the order of ``entries``. Each access creates a new list. To
  /// read the values once, use `ages.value.values`.
  ///
  ///     let ages = CollectionProperty(["Jim": 33])
  ///     let total = ages.values.reduced(0, adding: +, removing: -)
  ///     total.observeNext { show($0) }
  @inlinable
  public var values: LiveCollection<[Base.Value]> { entries.map { $0.value } }

  /// Returns the entries as a live sorted list. Equivalent entries keep the order of ``entries``.
  ///
  ///     let ages = CollectionProperty(["Jim": 33, "Bones": 39])
  ///     let eldestFirst = ages.sorted { $0.value > $1.value }
  ///     print(eldestFirst.value.map { $0.key })  // ["Bones", "Jim"]
  ///
  /// *Complexity*: logarithmic for each inserted, updated or deleted key.
  @inlinable
  public func sorted(
    by areInIncreasingOrder:
      @escaping (
        (key: Base.Key, value: Base.Value), (key: Base.Key, value: Base.Value)
      ) -> Bool
  ) -> LiveCollection<[(key: Base.Key, value: Base.Value)]> {
    entries.sorted(by: areInIncreasingOrder)
  }

  /// Returns the entries as a live list, sorted by the latest closure of a stream. Before the first
  /// closure it has the order of ``entries``.
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
  /// *Events*: a new order sends one event with a minimal number of moves.
  @inlinable
  public func sorted(
    by orders: any StreamConvertible<
      ((key: Base.Key, value: Base.Value), (key: Base.Key, value: Base.Value)) -> Bool, Never
    >
  ) -> LiveCollection<[(key: Base.Key, value: Base.Value)]> {
    entries.sorted(by: orders)
  }

  /// Returns the entries in groups with the same group key, as ``ObservableList/grouped(by:)``
  /// does.
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

  /// Returns the live list of the closure's results, in the order of ``entries``.
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

  /// Returns the live list of the closure's non-nil results, in the order of ``entries``.
  @inlinable
  public func compactMap<Output>(
    _ transform: @escaping ((key: Base.Key, value: Base.Value)) -> Output?
  ) -> LiveCollection<[Output]> {
    entries.compactMap(transform)
  }

  /// Returns the entries as a live list, sorted by key in ascending order.
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
