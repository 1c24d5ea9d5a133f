extension EventStream {
  /// Sends the latest elements of all sources as a tuple each time one of them sends an element.
  ///
  ///     a                     --1-----2-----|
  ///     b                     ----x------y--|
  ///     combineLatest(a, b)   ----1x--2x-2y-|
  ///
  ///     EventStream.combineLatest(name, age).observeNext { show($0, $1) }
  ///
  /// *Events*: the first tuple is sent when every source has sent an element. The stream completes
  /// when all sources have completed, or when one completes without an element. The first failure
  /// ends it. A source passed twice is observed twice, so each of its elements produces two tuples.
  ///
  /// *Types*: with more than four sources, name the closure parameters: `{ a, b, c, d, e in`.
  /// Swift 6.3 does not resolve `$4` in a tuple that comes from a parameter pack.
  @inlinable
  public static func combineLatest<First, Second, each Other>(
    _ first: EventStream<First, Failure>, _ second: EventStream<Second, Failure>,
    _ others: repeat EventStream<each Other, Failure>
  ) -> EventStream where Element == (First, Second, repeat each Other) {
    latest(of: SourcePack(first, second, repeat each others))
  }

  /// Combines the latest elements of three sources.
  @inlinable
  public static func combineLatest<First, Second, Third>(
    _ first: EventStream<First, Failure>, _ second: EventStream<Second, Failure>,
    _ third: EventStream<Third, Failure>
  ) -> EventStream where Element == (First, Second, Third) {
    latest(of: SourcePack(first, second, third))
  }

  /// Combines the latest elements of four sources.
  @inlinable
  public static func combineLatest<First, Second, Third, Fourth>(
    _ first: EventStream<First, Failure>, _ second: EventStream<Second, Failure>,
    _ third: EventStream<Third, Failure>, _ fourth: EventStream<Fourth, Failure>
  ) -> EventStream where Element == (First, Second, Third, Fourth) {
    latest(of: SourcePack(first, second, third, fourth))
  }

  /// Combines the latest elements of a pack of sources. An empty pack sends the empty tuple and
  /// completes.
  @inlinable
  static func latest<each Part>(
    of sources: SourcePack<repeat each Part, Failure>
  ) -> EventStream where Element == (repeat each Part) {
    .unguarded(afterSteps: sources.steps) { observer in
      let output = SerializedObserver(observer)
      let memory = RowMemory<Element>()
      let engine = KeepingLatest(sources.count, output) { _ in
        // Safety: the engine calls this closure only while every place holds an element, and it
        // retains the places.
        let row = memory.start.pointee
        output.next(row)
      }
      engine.begin { sources.observe(for: memory, by: engine) }
    }
  }

  /// Sends the latest elements of all streams of a collection as an array each time one of them
  /// sends an element.
  ///
  ///     a                       --1-------2-----|
  ///     b                       ----3--------4--|
  ///     combineLatest([a, b])   ----[1,3]-[2,3]-[2,4]|
  ///
  ///     EventStream.combineLatest(fields.map(\.isValid)).observeNext { show($0) }
  ///
  /// *Events*: as with a list of sources. With no streams, it sends `[]` and completes.
  ///
  /// *Complexity*: O(1) per element if no observer keeps the array that was sent before; otherwise
  /// O(*n*), where *n* is the number of streams.
  ///
  /// *Types*: if the streams can fail and an operator with a closure follows, the compiler infers
  /// `Never` as the failure type. Write the type:
  /// `EventStream<[Int], LoadError>.combineLatest(list)`.
  @inlinable
  public static func combineLatest<Part>(
    _ sources: some Collection<EventStream<Part, Failure>>
  ) -> EventStream where Element == [Part] {
    if let links = sources.links() { return latest(ofEach: links, afterSteps: links.mostSteps) }
    return latest(ofEach: sources, afterSteps: 0)
  }

  @inlinable
  static func latest<Part>(
    ofEach sources: some Collection<EventStream<Part, Failure>>, afterSteps steps: Int
  ) -> EventStream where Element == [Part] {
    .unguarded(afterSteps: steps) { observer in
      let output = SerializedObserver(observer)
      let count = sources.count
      let memory = RowMemory<Part>(capacity: count)
      var row: [Part] = []
      let engine = KeepingLatest(count, output) { index in
        // Safety: the engine calls this closure only while every place holds an element, and it
        // retains the places.
        if row.isEmpty {
          row = Array(UnsafeBufferPointer(start: memory.start, count: count))
        } else {
          var element = memory.start[index]
          // The old element is released after the array is complete, because its `deinit` may send
          // an event.
          swap(&row[index], &element)
        }
        output.next(row)
      }
      engine.begin {
        for source in sources { engine.observe(source, for: memory.nextPlace()) }
      }
    }
  }

  /// Combines the latest elements of two or more streams, properties or controls.
  @_disfavoredOverload
  @inlinable
  public static func combineLatest<First, Second, each Other>(
    _ first: some StreamConvertible<First, Failure>,
    _ second: some StreamConvertible<Second, Failure>,
    _ others: repeat any StreamConvertible<each Other, Failure>
  ) -> EventStream where Element == (First, Second, repeat each Other) {
    combineLatest(first.stream, second.stream, repeat (each others).stream)
  }

  /// Combines the latest elements of all streams, properties or controls of a collection, as an array.
  @_disfavoredOverload
  @inlinable
  public static func combineLatest<Part>(
    _ sources: some Collection<some StreamConvertible<Part, Failure>>
  ) -> EventStream where Element == [Part] {
    combineLatest(sources.map { $0.stream })
  }
}

extension StreamProtocol {
  /// Combines the latest element of this stream with the latest elements of one or more others.
  ///
  ///     source                 --1-----2-----|
  ///     other                  ----x------y--|
  ///     combineLatest(other)   ----1x--2x-2y-|
  ///
  ///     name.combineLatest(age).observeNext { show($0, $1) }
  ///
  /// *Events*: as for the static form of `combineLatest`.
  @inlinable
  public func combineLatest<Second, each Other>(
    _ second: some StreamConvertible<Second, Failure>,
    _ others: repeat any StreamConvertible<each Other, Failure>
  ) -> EventStream<(Element, Second, repeat each Other), Failure> {
    .combineLatest(stream, second.stream, repeat (each others).stream)
  }
}

/// The engine of `combineLatest` and `withLatestFrom`. It stores the latest element of each source
/// and calls a closure while none is missing.
@usableFromInline
final class KeepingLatest<Row, Failure: Error>: RowEngine {
  @usableFromInline let output: SerializedObserver<Row, Failure>
  @usableFromInline let endsWithSources: Bool
  /// Called with the index of a source after it has sent an element, if no source is missing.
  @usableFromInline let kept: (Int) -> Void
  /// The places of the sources. They keep the latest elements after their sources have ended.
  @usableFromInline var places: [AnyObject] = []
  /// The number of sources that have not sent an element yet.
  @usableFromInline @exclusivity(unchecked) var missing: Int
  /// The number of sources that have not completed yet.
  @usableFromInline @exclusivity(unchecked) var running: Int

  @inlinable
  init(
    _ count: Int, _ output: SerializedObserver<Row, Failure>, endsWithSources: Bool = true,
    kept: @escaping (Int) -> Void
  ) {
    self.output = output
    self.endsWithSources = endsWithSources
    self.kept = kept
    missing = count
    running = count
  }

  /// Calls a closure that observes the sources. Without sources, sends one empty row and completes.
  @inlinable
  func begin(_ observeSources: () -> Void) {
    if running > 0 { return observeSources() }
    kept(0)
    output.end(.completed)
  }

  @inlinable
  func observe<Value>(_ source: EventStream<Value, Failure>, for place: Place<Value>) {
    guard output.isOpen else { return }
    let index = places.count
    places.append(place)
    source.start(
      under: output.observation,
      next: { value in
        if place.isEmpty { self.missing -= 1 }
        place.store(value)
        if self.missing == 0 { self.kept(index) }
      },
      end: { self.ended($0, wasSilent: place.isEmpty) })
  }

  @usableFromInline
  func ended(_ termination: Termination<Failure>, wasSilent: Bool) {
    if case .completed = termination {
      running -= 1
      guard endsWithSources && (wasSilent || running == 0) else { return }
    }
    output.end(termination)
  }
}
