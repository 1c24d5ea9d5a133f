extension EventStream {
  /// Sends the first elements of all sources as a tuple, then the second ones, and so on.
  ///
  ///     a           --1--2-----3--|
  ///     b           ----x---y--------z--
  ///     zip(a, b)   ----1x--2y-------3z|
  ///
  ///     EventStream.zip(questions, answers).observeNext { print($0, $1) }
  ///
  /// *Events*: completes when a source has completed and all of its elements have been sent, since
  /// no further row is possible. The first failure ends the stream.
  ///
  /// The queue of elements that wait for their partners has no limit. A source that sends without
  /// end while it is being observed therefore blocks forever.
  ///
  /// *Types*: with more than four sources, name the closure parameters, as with `combineLatest`.
  @inlinable
  public static func zip<First, Second, each Other>(
    _ first: EventStream<First, Failure>, _ second: EventStream<Second, Failure>,
    _ others: repeat EventStream<each Other, Failure>
  ) -> EventStream where Element == (First, Second, repeat each Other) {
    rows(of: SourcePack(first, second, repeat each others))
  }

  /// Zips three sources.
  @inlinable
  public static func zip<First, Second, Third>(
    _ first: EventStream<First, Failure>, _ second: EventStream<Second, Failure>,
    _ third: EventStream<Third, Failure>
  ) -> EventStream where Element == (First, Second, Third) {
    rows(of: SourcePack(first, second, third))
  }

  /// Zips four sources.
  @inlinable
  public static func zip<First, Second, Third, Fourth>(
    _ first: EventStream<First, Failure>, _ second: EventStream<Second, Failure>,
    _ third: EventStream<Third, Failure>, _ fourth: EventStream<Fourth, Failure>
  ) -> EventStream where Element == (First, Second, Third, Fourth) {
    rows(of: SourcePack(first, second, third, fourth))
  }

  /// Zips a pack of sources.
  @inlinable
  static func rows<each Part>(
    of sources: SourcePack<repeat each Part, Failure>
  ) -> EventStream where Element == (repeat each Part) {
    .unguarded(afterSteps: sources.steps) { observer in
      let output = SerializedObserver(observer)
      let memory = RowMemory<Element>()
      let engine = Zipping(sources.count, output) {
        // Safety: the engine has filled every place of the row before it calls this closure.
        output.next(memory.start.move())
      }
      engine.begin { sources.observe(for: memory, by: engine) }
    }
  }

  /// Sends the first elements of all streams of a collection as an array, then the second ones, and
  /// so on.
  ///
  ///     a             --1----2------|
  ///     b             ----3------4--|
  ///     zip([a, b])   ----[1,3]--[2,4]|
  ///
  ///     EventStream.zip(mirrors.map { $0.load() }).observe(next: { pages in show(pages) })
  ///
  /// *Events*: as with a list of sources. With no streams, it completes without an element.
  ///
  /// *Types*: if the streams can fail and an operator with a closure follows, the compiler infers
  /// `Never` as the failure type. Write the type: `EventStream<[Int], LoadError>.zip(list)`.
  @inlinable
  public static func zip<Part>(
    _ sources: some Collection<EventStream<Part, Failure>>
  ) -> EventStream where Element == [Part] {
    if let links = sources.links() { return rows(ofEach: links, afterSteps: links.mostSteps) }
    return rows(ofEach: sources, afterSteps: 0)
  }

  @inlinable
  static func rows<Part>(
    ofEach sources: some Collection<EventStream<Part, Failure>>, afterSteps steps: Int
  ) -> EventStream where Element == [Part] {
    .unguarded(afterSteps: steps) { observer in
      let output = SerializedObserver(observer)
      let count = sources.count
      let memory = RowMemory<Part>(capacity: count)
      let engine = Zipping(count, output) {
        let row = Array(unsafeUninitializedCapacity: count) { buffer, initialized in
          // Safety: the engine has filled every place of the row before it calls this closure.
          buffer.baseAddress?.moveInitialize(from: memory.start, count: count)
          initialized = count
        }
        output.next(row)
      }
      engine.begin {
        for source in sources { engine.observe(source, for: memory.nextPlace()) }
      }
    }
  }

  /// Zips the elements of two or more streams, properties or controls.
  @_disfavoredOverload
  @inlinable
  public static func zip<First, Second, each Other>(
    _ first: some StreamConvertible<First, Failure>,
    _ second: some StreamConvertible<Second, Failure>,
    _ others: repeat any StreamConvertible<each Other, Failure>
  ) -> EventStream where Element == (First, Second, repeat each Other) {
    zip(first.stream, second.stream, repeat (each others).stream)
  }

  /// Zips the elements of all streams, properties or controls of a collection, as an array.
  @_disfavoredOverload
  @inlinable
  public static func zip<Part>(
    _ sources: some Collection<some StreamConvertible<Part, Failure>>
  ) -> EventStream where Element == [Part] {
    zip(sources.map { $0.stream })
  }
}

extension StreamProtocol {
  /// Pairs each element of this stream with the element of another stream at the same position.
  ///
  ///     source       --1--2-----3--|
  ///     other        ----x---y--------z--
  ///     zip(other)   ----1x--2y-------3z|
  ///
  ///     questions.zip(answers).observeNext { print($0, $1) }
  ///
  /// *Events*: as for the static form of `zip`.
  @inlinable
  public func zip<Second>(
    _ second: some StreamConvertible<Second, Failure>
  ) -> EventStream<(Element, Second), Failure> {
    .zip(stream, second.stream)
  }
}

/// The state of one observation of `zip`. It knows when a row is complete; the `send` closure knows
/// the type of the row.
///
/// A row is sent as soon as it is complete, so between two events at least one lane is empty.
@usableFromInline
final class Zipping<Row, Failure: Error>: RowEngine {
  @usableFromInline let output: SerializedObserver<Row, Failure>
  /// Sends the row that is stored in the places, and empties the places.
  @usableFromInline let send: () -> Void
  /// Closures that each move the first element of one lane to its place.
  @usableFromInline @exclusivity(unchecked) var fillings: [(Zipping) -> Void] = []
  /// The number of empty lanes.
  @usableFromInline @exclusivity(unchecked) var empty: Int
  /// True when a lane is empty and its source has completed, so that no further row is possible.
  @usableFromInline @exclusivity(unchecked) var isOver: Bool

  @inlinable
  init(_ count: Int, _ output: SerializedObserver<Row, Failure>, send: @escaping () -> Void) {
    self.output = output
    self.send = send
    empty = count
    isOver = count == 0
  }

  /// Calls a closure that observes the sources. Without sources, completes at once.
  @inlinable
  func begin(_ observeSources: () -> Void) {
    if isOver { output.end(.completed) } else { observeSources() }
  }

  @inlinable
  func observe<Value>(_ source: EventStream<Value, Failure>, for place: Place<Value>) {
    guard output.isOpen else { return }
    let lane = Lane(place)
    fillings.append { $0.fill(lane) }
    source.start(
      under: output.observation,
      next: { value in
        lane.append(value)
        guard lane.count == 1 else { return }
        self.empty -= 1
        if self.empty == 0 { self.sendRow() }
      },
      end: { termination in
        if case .completed = termination {
          lane.hasEnded = true
          guard lane.count == 0 else { return }
        }
        self.output.end(termination)
      })
  }

  @inlinable
  func sendRow() {
    for fill in fillings { fill(self) }
    let isOver = isOver
    send()
    if isOver { output.end(.completed) }
  }

  @inlinable
  func fill<Value>(_ lane: Lane<Value>) {
    lane.fillPlace()
    if lane.count > 0 { return }
    empty += 1
    if lane.hasEnded { isOver = true }
  }
}

/// A queue of the elements of one source that wait for their partners: a growing ring buffer.
@usableFromInline
final class Lane<Value> {
  @usableFromInline let place: Place<Value>
  @usableFromInline @exclusivity(unchecked) var ring = UnsafeMutablePointer<Value>.allocate(
    capacity: 1)
  @usableFromInline @exclusivity(unchecked) var capacity = 1
  @usableFromInline @exclusivity(unchecked) var head = 0
  @usableFromInline @exclusivity(unchecked) var count = 0
  @usableFromInline @exclusivity(unchecked) var hasEnded = false

  @inlinable
  init(_ place: Place<Value>) {
    self.place = place
  }

  // Safety: in all members below, the capacity is a power of two, and the `count` elements from
  // `head` on, modulo the capacity, are initialized.

  deinit {
    for index in head..<(head + count) { (ring + (index & (capacity - 1))).deinitialize(count: 1) }
    ring.deallocate()
  }

  @inlinable
  func append(_ value: Value) {
    if count == capacity { grow() }
    (ring + ((head + count) & (capacity - 1))).initialize(to: value)
    count += 1
  }

  /// Moves the first element to its place in the row.
  @inlinable
  func fillPlace() {
    place.pointer.moveInitialize(from: ring + head, count: 1)
    head = (head + 1) & (capacity - 1)
    count -= 1
  }

  @inlinable
  func grow() {
    let larger = UnsafeMutablePointer<Value>.allocate(capacity: capacity * 2)
    let tail = capacity - head
    larger.moveInitialize(from: ring + head, count: tail)
    (larger + tail).moveInitialize(from: ring, count: head)
    ring.deallocate()
    ring = larger
    capacity *= 2
    head = 0
  }
}
