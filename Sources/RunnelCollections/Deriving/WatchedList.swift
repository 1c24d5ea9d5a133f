import RunnelStreams

extension ObservableList {
  /// The elements for which the latest value of a stream of their own is true, in the same order. So
  /// an element that changes inside can come and go.
  ///
  ///     let tasks = CollectionProperty([Property("urgent"), Property("later")])
  ///     let urgent = tasks.filter(whereLatest: { task in task.map { $0 == "urgent" } })
  ///     tasks[1].value = "urgent"
  ///     print(urgent.count)  // 2
  ///
  /// An element is out until its stream sends, and stays as it is when its stream completes.
  ///
  /// *Events*: what the streams send at once when they are observed is part of the change that
  /// brought the elements.
  ///
  /// *Disposal*: the stream of an element is observed once, as long as the element is there. An
  /// update puts another stream in its place.
  @inlinable
  public func filter<Condition: StreamConvertible>(
    whereLatest condition: @escaping (Base.Element) -> Condition
  ) -> LiveCollection<[Base.Element]> where Condition.Element == Bool, Condition.Failure == Never {
    let start = value
    let watching = WatchedList<Base.Element> { condition($0).stream }
    let derived = LiveCollection<[Base.Element]>(watching.output)
    watching.core = derived.core
    derived.endsWithSources(Disposable { watching.end() })
    derived.follow(live, since: start) { watching.take($0.collection, $0.changes) }
    derived.batch { watching.take(start, nil) }
    return derived
  }
}

/// Keeps those elements whose own streams say so. Each has a handle, by which what its stream sends
/// finds the place where the element has got to.
@usableFromInline
final class WatchedList<Element>: ListFollower {
  /// What is known of the element that a handle stands for.
  @usableFromInline
  struct Watch {
    @usableFromInline let element: Element
    @usableFromInline var observation = Disposable.none
    /// The latest that its stream has sent.
    @usableFromInline var isIncluded = false

    @inlinable
    init(_ element: Element) {
      self.element = element
    }
  }

  /// An element that was taken out.
  @usableFromInline
  struct Taken {
    @usableFromInline let handle: Int32
    /// It, if it was in the output.
    @usableFromInline let lifted: ListEditor<Element>.Lifted?

    @inlinable
    init(handle: Int32, lifted: ListEditor<Element>.Lifted?) {
      self.handle = handle
      self.lifted = lifted
    }
  }

  @usableFromInline let output = ListEditor(SharedArray<Element>())
  @usableFromInline let condition: (Element) -> EventStream<Bool, Never>
  @usableFromInline weak var core: LiveCore<[Element]>?
  /// The handles in the order of the source.
  @usableFromInline @exclusivity(unchecked) var handles = HandleList()
  /// For each element of the source 1 if it is in the output, else 0.
  @usableFromInline @exclusivity(unchecked) var weights = WeightedList()
  /// By handle. The elements are kept here, for the source as it was may not be there any more, and
  /// to keep all of it would have each change of it make copies.
  @usableFromInline @exclusivity(unchecked) var watches: [Watch?] = []
  @usableFromInline @exclusivity(unchecked) var pool = HandlePool()
  @usableFromInline @exclusivity(unchecked) var liftedElements = LiftedElements<Taken>()
  /// Whether a change is being made: streams are observed meanwhile, and may do anything.
  @usableFromInline @exclusivity(unchecked) var isBusy = false
  /// The element whose stream is just being observed.
  @usableFromInline @exclusivity(unchecked) var newcomer: Int32 = -1
  /// Whether nobody has the output any more.
  @usableFromInline @exclusivity(unchecked) var hasEnded = false
  /// What was heard of elements in the midst of a change.
  @usableFromInline @exclusivity(unchecked) var unsettled: [Int32] = []

  /// The changes that wait for the one that is being made: observing a stream may change the source.
  @usableFromInline @exclusivity(unchecked) var waiting: [Event] = []

  @usableFromInline typealias Event = (list: SharedArray<Element>, changes: ListChanges<Element>?)

  @inlinable
  init(_ condition: @escaping (Element) -> EventStream<Bool, Never>) {
    self.condition = condition
  }

  /// Makes a change, or begins with another list where it is not said what has changed.
  @inlinable
  func take(_ list: SharedArray<Element>, _ changes: ListChanges<Element>?) {
    waiting.append((list, changes))
    guard !isBusy else { return }
    isBusy = true
    while !waiting.isEmpty {
      let event = waiting.removeFirst()
      if let changes = event.changes { follow(changes) } else { reset(to: event.list) }
      let unsettled = unsettled
      self.unsettled = []
      for handle in unsettled where handles.contains(handle) { show(handle) }
      if pool.canBeginAnew { beginAnew() }
    }
    isBusy = false
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
    // Who was asked for the stream may have ended it all.
    if hasEnded { return observation.dispose() }
    watches[Int(handle)]?.observation = observation
  }

  @inlinable
  func hear(_ isIncluded: Bool, of handle: Int32) {
    watches[Int(handle)]?.isIncluded = isIncluded
    if handle == newcomer { return }
    if isBusy { return unsettled.append(handle) }
    core?.batch { show(handle) }
  }

  /// Puts an element in or takes it out, if that has changed.
  @inlinable
  func show(_ handle: Int32) {
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

  /// Lets go of all streams.
  @inlinable
  func stop() {
    let watches = watches
    for handle in watches.indices { self.watches[handle] = nil }
    for watch in watches { watch?.observation.dispose() }
  }

  /// Lets go of all that is known of elements of which none is left.
  @inlinable
  func beginAnew() {
    pool = HandlePool()
    watches = []
    unsettled = []
    handles = HandleList()
    weights = WeightedList()
  }

  /// Lets go of all streams, for good.
  @inlinable
  func end() {
    hasEnded = true
    waiting = []
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
  func lift(_ index: Int, number: Int) {
    let place = weights.sum(before: index)
    let lifted = weights.remove(at: index) == 1 ? output.lift(place) : nil
    liftedElements.put(Taken(handle: handles.remove(at: index), lifted: lifted), number: number)
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
  func drop(number: Int, at index: Int) {
    guard let taken = liftedElements.take(number: number) else { return }
    if let lifted = taken.lifted { output.drop(lifted, at: weights.sum(before: index)) }
    weights.insert(taken.lifted == nil ? 0 : 1, at: index)
    handles.insert(taken.handle, at: index)
  }

  @inlinable
  func reset(to list: SharedArray<Element>) {
    stop()
    beginAnew()
    output.reset(to: SharedArray())
    if !list.isEmpty { insert(0..<list.count, of: list) }
  }
}
