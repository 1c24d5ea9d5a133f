import RunnelStreams

extension ObservableCollection where Base: DictionaryBase {
  /// The keys as a live set. Updating the value of a key does not change it. Each access creates a
  /// new set.
  ///
  ///     let ages = CollectionProperty(["Jim": 33])
  ///     let known = ages.keys
  ///     ages["Bones"] = 39
  ///     print(known.contains("Bones"))  // true
  @inlinable
  public var keys: LiveCollection<Set<Base.Key>> {
    let start = value
    let derived = LiveCollection<Set<Base.Key>>(SetEditor(SharedSet(start.keys)))
    let core = derived.core
    derived.follow(live, since: start) { event in
      guard let changes = event.changes else {
        return core.editor.reset(to: SharedSet(event.collection.keys))
      }
      for key in changes.deletes.keys { core.editor.remove(key) }
      for key in changes.inserts.keys { core.editor.insert(key) }
    }
    return derived
  }

  /// Returns the live dictionary of the closure's results by key.
  ///
  ///     let ages = CollectionProperty(["Jim": 33])
  ///     let isAdult = ages.mapValues { $0 >= 18 }
  ///     print(isAdult["Jim"] ?? false)  // true
  ///
  /// The closure runs once for each initial, inserted or updated key.
  @inlinable
  public func mapValues<Output>(
    _ transform: @escaping (Base.Value) -> Output
  ) -> LiveCollection<[Base.Key: Output]> {
    derived { transform($1) }
  }

  /// Returns the live dictionary of the closure's non-nil results by key.
  ///
  ///     let texts = CollectionProperty(["width": "80", "height": "?"])
  ///     let sizes = texts.compactMapValues { Int($0) }
  ///     print(sizes.count)  // 1
  ///
  /// The closure runs once for each initial, inserted or updated key.
  @inlinable
  public func compactMapValues<Output>(
    _ transform: @escaping (Base.Value) -> Output?
  ) -> LiveCollection<[Base.Key: Output]> {
    derived { transform($1) }
  }

  /// Returns the live dictionary of the entries that satisfy a predicate.
  ///
  ///     let ages = CollectionProperty(["Jim": 33, "Molly": 7])
  ///     let adults = ages.filter { $0.value >= 18 }
  ///     print(adults.count)  // 1
  ///
  /// The closure runs once for each initial, inserted or updated key.
  @inlinable
  public func filter(
    _ isIncluded: @escaping ((key: Base.Key, value: Base.Value)) -> Bool
  ) -> LiveCollection<[Base.Key: Base.Value]> {
    derived { isIncluded((key: $0, value: $1)) ? $1 : nil }
  }

  /// Returns the live dictionary of the entries that satisfy the latest predicate of a stream. It
  /// is empty before the first predicate.
  ///
  ///     let ages = CollectionProperty(["Jim": 33, "Molly": 7])
  ///     let least = Property(18)
  ///     let found = ages.filter(by: least.map { least in { $0.value >= least } })
  ///     least.value = 5
  ///     print(found.count)  // 2
  ///
  /// *Events*: a new predicate sends one event, which contains only the keys whose result differs.
  /// A predicate that arrives during a batch of the source does not wait: it is applied to the
  /// entries before the batch.
  @inlinable
  public func filter(
    by predicates: any StreamConvertible<((key: Base.Key, value: Base.Value)) -> Bool, Never>
  ) -> LiveCollection<[Base.Key: Base.Value]> {
    entries.filter(by: predicates).asDictionary()
  }

  /// Returns the live dictionary of the entries whose own stream sent true last.
  ///
  ///     let tasks = CollectionProperty(["milk": Property(true), "rent": Property(false)])
  ///     let done = tasks.filter(whereLatest: { $0.value })
  ///     tasks["rent"]?.value = true
  ///     print(done.count)  // 2
  ///
  /// *Disposal*: as for ``ObservableList/filter(whereLatest:)``. Updating a key replaces its
  /// stream.
  @inlinable
  public func filter<Condition: StreamConvertible>(
    whereLatest condition: @escaping ((key: Base.Key, value: Base.Value)) -> Condition
  ) -> LiveCollection<[Base.Key: Base.Value]>
  where Condition.Element == Bool, Condition.Failure == Never {
    entries.filter(whereLatest: condition).asDictionary()
  }

  /// Returns the live dictionary of the non-nil results of a closure of key and value.
  @inlinable
  func derived<Output>(
    _ transform: @escaping (Base.Key, Base.Value) -> Output?
  ) -> LiveCollection<[Base.Key: Output]> {
    let start = value
    func all(of dictionary: Base.Elements) -> SharedDictionary<Base.Key, Output> {
      SharedDictionary(
        dictionary.lazy.compactMap { key, value in transform(key, value).map { (key, $0) } },
        uniquingKeysWith: { $1 })
    }
    let derived = LiveCollection<[Base.Key: Output]>(DictionaryEditor(all(of: start)))
    let core = derived.core
    derived.follow(live, since: start) { event in
      guard let changes = event.changes else {
        return core.editor.reset(to: all(of: event.collection))
      }
      changes.forEach { key, value in
        core.editor.set(key, to: value.flatMap { transform(key, $0) })
      }
    }
    return derived
  }
}

extension ObservableList {
  /// Returns a live dictionary of a list of entries with distinct keys.
  @inlinable
  func asDictionary<Key: Hashable, Value>() -> LiveCollection<[Key: Value]>
  where Base.Element == (key: Key, value: Value) {
    collected {
      SharedDictionary($0.lazy.map { ($0.key, $0.value) }) { $1 }
    } gone: {
      $0.set($1.key, to: nil)
    } come: {
      $0.set($1.key, to: $1.value)
    }
  }

  /// Returns a live set of a list of distinct elements.
  @inlinable
  func asSet() -> LiveCollection<Set<Base.Element>> where Base.Element: Hashable {
    collected {
      SharedSet($0)
    } gone: {
      $0.remove($1)
    } come: {
      $0.insert($1)
    }
  }

  /// Returns a live dictionary or set of all elements of a list, given closures that build and edit
  /// it.
  @inlinable
  func collected<Output: CollectionBase>(
    _ all: @escaping (SharedArray<Base.Element>) -> Output.Elements,
    gone: @escaping (inout Output.Editor, Base.Element) -> Void,
    come: @escaping (inout Output.Editor, Base.Element) -> Void
  ) -> LiveCollection<Output> {
    let start = value
    let derived = LiveCollection<Output>(Output.Editor(all(start)))
    let core = derived.core
    derived.follow(live, since: start) { event in
      event.changes?.visit {
        gone(&core.editor, $0)
      } come: {
        come(&core.editor, $0)
      }
      // A key that is not equal to itself cannot be removed.
      if event.changes == nil || core.editor.elements.count != event.collection.count {
        core.editor.reset(to: all(event.collection))
      }
    }
    return derived
  }
}
