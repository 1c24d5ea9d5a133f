import RunnelStreams

extension ObservableList {
  /// Returns the live list of the elements whose own stream sent true last, in the order of the
  /// source. The result changes when the state of an element changes.
  ///
  ///     let tasks = CollectionProperty([Property("urgent"), Property("later")])
  ///     let urgent = tasks.filter(whereLatest: { task in task.map { $0 == "urgent" } })
  ///     tasks[1].value = "urgent"
  ///     print(urgent.count)  // 2
  ///
  /// An element is excluded until its stream sends. When the stream completes, the last value
  /// remains.
  ///
  /// *Events*: values that a stream sends while it begins to be observed are part of the change
  /// that inserted the element.
  ///
  /// *Disposal*: the stream of an element is observed once, while the element is in the source. An
  /// update replaces the stream.
  @inlinable
  public func filter<Condition: StreamConvertible>(
    whereLatest condition: @escaping (Base.Element) -> Condition
  ) -> LiveCollection<[Base.Element]> where Condition.Element == Bool, Condition.Failure == Never {
    let start = value
    let watching = WatchedList<Base.Element> { condition($0).stream }
    let derived = LiveCollection<[Base.Element]>(watching.output)
    watching.core = derived.core
    derived.endsWithSources(Disposable { watching.end() })
    derived.follow(live, since: start) { watching.take($0) }
    derived.core.take(CollectionEvent<Base>(start, .reset)) { watching.take($0) }
    return derived
  }
}

/// A follower that keeps the elements whose own stream sent true. The handle of an element leads
/// from its stream to its current position.
@usableFromInline
final class WatchedList<Element>: ListFollower {
  /// The state of the element with a handle.
  @usableFromInline
  struct Watch {
    @usableFromInline let element: Element
    @usableFromInline var observation = Disposable.none
    /// The latest value of the element's stream.
    @usableFromInline var isIncluded = false

    @inlinable
    init(_ element: Element) {
      self.element = element
    }
  }

  @usableFromInline let output = ListEditor(SharedArray<Element>())
  @usableFromInline let condition: (Element) -> EventStream<Bool, Never>
  @usableFromInline weak var core: LiveCore<[Element]>?
  /// The handles in the order of the source.
  @usableFromInline @exclusivity(unchecked) var handles = HandleList()
  /// For each element of the source 1 if it is in the output, otherwise 0.
  @usableFromInline @exclusivity(unchecked) var weights = WeightedList()
  /// The watches by handle. They store the elements, because the old source may be gone, and a
  /// stored copy of it would make each of its changes copy.
  @usableFromInline @exclusivity(unchecked) var watches: [Watch?] = []
  @usableFromInline @exclusivity(unchecked) var pool = HandlePool()
  /// The handle of the element whose stream is being observed, or -1.
  @usableFromInline @exclusivity(unchecked) var newcomer: Int32 = -1
  /// True when the output was released.
  @usableFromInline @exclusivity(unchecked) var hasEnded = false

  @inlinable
  init(_ condition: @escaping (Element) -> EventStream<Bool, Never>) {
    self.condition = condition
  }

  @inlinable
  func take<Base: ListBase>(_ event: CollectionEvent<Base>) where Base.Element == Element {
    if hasEnded { return }
    follow(event)
    if pool.canBeDiscarded { discardTables() }
  }

  // MARK: - Streams

  @inlinable
  func watch(_ element: Element) -> Int32 {
    let handle = pool.take()
    while watches.count <= handle { watches.append(nil) }
    observe(element, handle)
    return handle
  }

  @inlinable
  func observe(_ element: Element, _ handle: Int32) {
    if hasEnded { return }
    newcomer = handle
    watches[Int(handle)] = Watch(element)
    let observation = condition(element).observeNext { self.hear($0, of: handle) }
    newcomer = -1
    // The closure that returned the stream may have ended this follower.
    if hasEnded { return observation.dispose() }
    watches[Int(handle)]?.observation = observation
  }

  @inlinable
  func hear(_ isIncluded: Bool, of handle: Int32) {
    watches[Int(handle)]?.isIncluded = isIncluded
    // The change that inserts the element reads its value.
    if handle != newcomer { core?.take(handle) { self.show($0) } }
  }

  /// Inserts an element into the output or removes it, if its value has changed.
  @inlinable
  func show(_ handle: Int32) {
    guard handles.contains(handle) else { return }
    let index = handles.index(of: handle)
    guard let watch = watches[Int(handle)], (weights[index] == 1) != watch.isIncluded else {
      return
    }
    let place = weights.sum(before: index)
    if watch.isIncluded {
      output.insert(watch.element, at: place)
    } else {
      output.remove(at: place)
    }
    weights.set(watch.isIncluded ? 1 : 0, at: index)
  }

  @inlinable
  func forget(_ handle: Int32) {
    let watch = watches[Int(handle)]
    watches[Int(handle)] = nil
    watch?.observation.dispose()
  }

  /// Disposes all observations of streams.
  @inlinable
  func stop() {
    let watches = watches
    for handle in watches.indices { self.watches[handle] = nil }
    for watch in watches { watch?.observation.dispose() }
  }

  /// Discards all tables when no elements are left.
  @inlinable
  func discardTables() {
    pool = HandlePool()
    watches = []
    handles = HandleList()
    weights = WeightedList()
  }

  /// Disposes all observations of streams for good.
  @inlinable
  func end() {
    hasEnded = true
    stop()
  }

  @inlinable
  func isIncluded(_ handle: Int32) -> Bool { watches[Int(handle)]?.isIncluded ?? false }

  // MARK: - Edits

  @inlinable
  func update(_ index: Int, to element: Element) {
    let handle = handles[index]
    forget(handle)
    observe(element, handle)
    let place = weights.sum(before: index)
    let isIn = isIncluded(handle)
    switch (weights[index] == 1, isIn) {
    case (true, true): return output.update(place, to: element)
    case (true, false): output.remove(at: place)
    case (false, true): output.insert(element, at: place)
    case (false, false): return
    }
    weights.set(isIn ? 1 : 0, at: index)
  }

  @inlinable
  func remove(_ range: Range<Int>) {
    let start = weights.sum(before: range.lowerBound)
    if range.count == 1 {
      if weights.remove(at: range.lowerBound) == 1 { output.remove(at: start) }
      let handle = handles.remove(at: range.lowerBound)
      forget(handle)
      pool.give(handle)
      return
    }
    let end = weights.sum(before: range.upperBound)
    let gone = range.map { handles[$0] }
    handles.removeSubrange(range)
    weights.removeSubrange(range)
    if start < end { output.remove(start..<end) }
    for handle in gone { forget(handle) }
    for handle in gone { pool.give(handle) }
  }

  @inlinable
  func lift(_ index: Int) -> (handle: Int32, element: ListEditor<Element>.Lifted?) {
    let place = weights.sum(before: index)
    let element = weights.remove(at: index) == 1 ? output.lift(place) : nil
    return (handles.remove(at: index), element)
  }

  @inlinable
  func insert(_ range: Range<Int>, of list: SharedArray<Element>) {
    let place = weights.sum(before: range.lowerBound)
    if range.count == 1 {
      let element = list[range.lowerBound]
      let handle = watch(element)
      handles.insert(handle, at: range.lowerBound)
      weights.insert(isIncluded(handle) ? 1 : 0, at: range.lowerBound)
      if isIncluded(handle) { output.insert(element, at: place) }
      return
    }
    let new = list[range].map { watch($0) }
    handles.insert(contentsOf: new, at: range.lowerBound)
    weights.insert(contentsOf: new.map { isIncluded($0) ? 1 : 0 }, at: range.lowerBound)
    let included = new.compactMap { isIncluded($0) ? watches[Int($0)]?.element : nil }
    if !included.isEmpty { output.insert(contentsOf: included, at: place) }
  }

  @inlinable
  func drop(_ lifted: (handle: Int32, element: ListEditor<Element>.Lifted?), at index: Int) {
    if let element = lifted.element { output.drop(element, at: weights.sum(before: index)) }
    weights.insert(lifted.element == nil ? 0 : 1, at: index)
    handles.insert(lifted.handle, at: index)
  }

  @inlinable
  func reset(to list: SharedArray<Element>) {
    stop()
    discardTables()
    output.reset(to: SharedArray())
    if !list.isEmpty { insert(0..<list.count, of: list) }
  }
}
