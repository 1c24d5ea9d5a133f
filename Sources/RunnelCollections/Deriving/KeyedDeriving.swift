import RunnelStreams

extension ObservableCollection where Base: KeyedBase {
  /// The keys, as a set. A key that is set again changes nothing in it. Each time it is asked for, it
  /// is another set that follows.
  ///
  ///     let ages = CollectionProperty(["Jim": 33])
  ///     let known = ages.keys
  ///     ages["Bones"] = 39
  ///     print(known.contains("Bones"))  // true
  @inlinable
  public var keys: LiveCollection<Set<Base.Key>> {
    live.publish()
    let derived = LiveCollection<Set<Base.Key>>(MemberEditor(SharedSet(value.keys)))
    let core = derived.core
    derived.follow(live) { event in
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

  /// A dictionary of what comes of each key and its value, if anything.
  @inlinable
  func derived<Output>(
    _ transform: @escaping (Base.Key, Base.Value) -> Output?
  ) -> LiveCollection<[Base.Key: Output]> {
    live.publish()
    func all(of dictionary: Base.Elements) -> SharedDictionary<Base.Key, Output> {
      SharedDictionary(
        dictionary.lazy.compactMap { key, value in transform(key, value).map { (key, $0) } },
        uniquingKeysWith: { $1 })
    }
    let derived = LiveCollection<[Base.Key: Output]>(KeyedEditor(all(of: value)))
    let core = derived.core
    derived.follow(live) { event in
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
