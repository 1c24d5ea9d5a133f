import RunnelStreams

extension ObservableCollection where Base: DictionaryBase {
  /// The keys, as a set. A key that is set again changes nothing in it. Each time it is asked for, it
  /// is another set that follows.
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

  /// A dictionary of what the closure makes of each value.
  ///
  ///     let ages = CollectionProperty(["Jim": 33])
  ///     let isAdult = ages.mapValues { $0 >= 18 }
  ///     print(isAdult["Jim"] ?? false)  // true
  ///
  /// The closure runs once for each key that is there or set.
  @inlinable
  public func mapValues<Output>(
    _ transform: @escaping (Base.Value) -> Output
  ) -> LiveCollection<[Base.Key: Output]> {
    derived { transform($1) }
  }

  /// A dictionary of what the closure makes of each value, without the keys for which that is nil.
  ///
  ///     let texts = CollectionProperty(["width": "80", "height": "?"])
  ///     let sizes = texts.compactMapValues { Int($0) }
  ///     print(sizes.count)  // 1
  ///
  /// The closure runs once for each key that is there or set.
  @inlinable
  public func compactMapValues<Output>(
    _ transform: @escaping (Base.Value) -> Output?
  ) -> LiveCollection<[Base.Key: Output]> {
    derived { transform($1) }
  }

  /// A dictionary of those keys and values of which something holds.
  ///
  ///     let ages = CollectionProperty(["Jim": 33, "Molly": 7])
  ///     let adults = ages.filter { $0.value >= 18 }
  ///     print(adults.count)  // 1
  ///
  /// The closure runs once for each key that is there or set.
  @inlinable
  public func filter(
    _ isIncluded: @escaping ((key: Base.Key, value: Base.Value)) -> Bool
  ) -> LiveCollection<[Base.Key: Base.Value]> {
    derived { isIncluded((key: $0, value: $1)) ? $1 : nil }
  }

  /// A dictionary of those keys and values of which the latest predicate of a stream holds; of none
  /// before the first predicate has come.
  ///
  ///     let ages = CollectionProperty(["Jim": 33, "Molly": 7])
  ///     let least = Property(18)
  ///     let found = ages.filter(by: least.map { least in { $0.value >= least } })
  ///     least.value = 5
  ///     print(found.count)  // 2
  ///
  /// *Events*: a new predicate is one event, of those keys alone for which it makes a difference. One
  /// that comes within a batch of the source does not wait for it: it is asked of what was there before.
  @inlinable
  public func filter(
    by predicates: some StreamConvertible<((key: Base.Key, value: Base.Value)) -> Bool, Never>
  ) -> LiveCollection<[Base.Key: Base.Value]> {
    entries.filter(by: predicates).asDictionary()
  }

  /// A dictionary of those keys and values for which the latest value of a stream of their own is true.
  ///
  ///     let tasks = CollectionProperty(["milk": Property(true), "rent": Property(false)])
  ///     let done = tasks.filter(whereLatest: { $0.value })
  ///     tasks["rent"]?.value = true
  ///     print(done.count)  // 2
  ///
  /// *Disposal*: as ``ObservableList/filter(whereLatest:)``. A key that is set again has another stream.
  @inlinable
  public func filter<Condition: StreamConvertible>(
    whereLatest condition: @escaping ((key: Base.Key, value: Base.Value)) -> Condition
  ) -> LiveCollection<[Base.Key: Base.Value]>
  where Condition.Element == Bool, Condition.Failure == Never {
    entries.filter(whereLatest: condition).asDictionary()
  }

  /// A dictionary of what comes of each key and its value, if anything.
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
  /// A dictionary of a list of keys with their values, in which no key comes twice.
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

  /// A set of a list in which nothing comes twice.
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

  /// A dictionary or a set of all elements, from which those that go are taken out.
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
      // A key that is not equal to itself cannot be taken out.
      if event.changes == nil || core.editor.elements.count != event.collection.count {
        core.editor.reset(to: all(event.collection))
      }
    }
    return derived
  }
}
