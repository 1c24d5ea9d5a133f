extension EventStream {
  /// Sends the latest elements of all sources together, whenever one of them sends.
  ///
  ///     a                     --1-----2-----|
  ///     b                     ----x------y--|
  ///     combineLatest(a, b)   ----1x--2x-2y-|
  ///
  ///     EventStream.combineLatest(name.stream, age.stream).observeNext { show($0, $1) }
  ///
  /// *Events*: it starts when each source has sent something; it completes when all have completed,
  /// or when one completes that never sent. The first failure ends it. A source that is given twice
  /// is observed twice: each of its elements makes two combinations.
  ///
  /// *Types*: of more than four sources, name the elements: `{ a, b, c, d, e in`. Swift 6.3 cannot find
  /// `$4` in a tuple that it knows as a pack.
  @inlinable
  public static func combineLatest<First, Second, each Other>(
    _ first: EventStream<First, Failure>, _ second: EventStream<Second, Failure>,
    _ others: repeat EventStream<each Other, Failure>
  ) -> EventStream where Element == (First, Second, repeat each Other) {
    latest(of: SourcePack(first, second, repeat each others))
  }

  /// The same for three sources.
  @inlinable
  public static func combineLatest<First, Second, Third>(
    _ first: EventStream<First, Failure>, _ second: EventStream<Second, Failure>,
    _ third: EventStream<Third, Failure>
  ) -> EventStream where Element == (First, Second, Third) {
    latest(of: SourcePack(first, second, third))
  }

  /// The same for four sources.
  @inlinable
  public static func combineLatest<First, Second, Third, Fourth>(
    _ first: EventStream<First, Failure>, _ second: EventStream<Second, Failure>,
    _ third: EventStream<Third, Failure>, _ fourth: EventStream<Fourth, Failure>
  ) -> EventStream where Element == (First, Second, Third, Fourth) {
    latest(of: SourcePack(first, second, third, fourth))
  }

  /// The same for sources that are a pack already, of any number: with none it sends the empty tuple
  /// and completes.
  @inlinable
  static func latest<each Part>(
    of sources: SourcePack<repeat each Part, Failure>
  ) -> EventStream where Element == (repeat each Part) {
    .unguarded { observer in
      let output = SerializedObserver(observer)
      let memory = RowMemory<Element>()
      let engine = KeepingLatest(sources.count, output) { _ in
        // Safety: the engine calls when each place has its element, and keeps the places.
        let row = memory.start.pointee
        output.next(row)
      }
      engine.begin { sources.observe(for: memory, by: engine) }
    }
  }

  /// Sends the latest elements of all streams of a collection, whenever one of them sends.
  ///
  ///     a                       --1-------2-----|
  ///     b                       ----3--------4--|
  ///     combineLatest([a, b])   ----[1,3]-[2,3]-[2,4]|
  ///
  ///     EventStream.combineLatest(fields.map(\.isValid.stream)).observeNext { show($0) }
  ///
  /// *Events*: as with a list of sources; with no streams it sends `[]` and completes.
  ///
  /// *Complexity*: an element takes constant time where nobody keeps the array that was sent before.
  ///
  /// *Types*: where the streams can fail and an operator with a closure follows, the compiler would
  /// take the failure for `Never`. Name the type: `EventStream<[Int], LoadError>.combineLatest(list)`.
  public static func combineLatest<Part>(
    _ sources: some Collection<EventStream<Part, Failure>>
  ) -> EventStream where Element == [Part] {
    .unguarded { observer in
      let output = SerializedObserver(observer)
      let count = sources.count
      let memory = RowMemory<Part>(capacity: count)
      var row: [Part] = []
      let engine = KeepingLatest(count, output) { index in
        // Safety: as above.
        if row.isEmpty {
          row = Array(UnsafeBufferPointer(start: memory.start, count: count))
        } else {
          var element = memory.start[index]
          // The old element is released when the row is whole again: its deinit may send.
          swap(&row[index], &element)
        }
        output.next(row)
      }
      engine.begin {
        for source in sources { engine.observe(source, for: memory.nextPlace()) }
      }
    }
  }
}

/// The engine of `combineLatest` and `withLatestFrom`: it keeps the latest elements of its sources,
/// and knows when there is one of each.
@usableFromInline
final class KeepingLatest<Row, Failure: Error>: RowEngine {
  @usableFromInline let output: SerializedObserver<Row, Failure>
  @usableFromInline let endsWithSources: Bool
  /// Called when a source has sent and none is missing, with its number.
  @usableFromInline let kept: (Int) -> Void
  /// The places of the sources, so that elements outlive the sources that sent them.
  @usableFromInline var places: [AnyObject] = []
  /// How many sources have not sent yet.
  @usableFromInline @exclusivity(unchecked) var missing: Int
  /// How many sources have not ended yet.
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

  /// Observes the sources by the closure; without any there is one row, and nothing to wait for.
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
