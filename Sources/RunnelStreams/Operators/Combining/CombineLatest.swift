extension EventStream {
  /// Sends the latest elements of all sources together, whenever one of them sends.
  ///
  ///     a                     --1-----2-----|
  ///     b                     ----x------y--|
  ///     combineLatest(a, b)   ----1x--2x-2y-|
  ///
  ///     EventStream.combineLatest(name, age).observeNext { name, age in print(name, age) }
  ///
  /// *Events*: it starts when each source has sent something; it completes when all have completed,
  /// or when one completes that never sent. The first failure ends it. A source that is given twice
  /// is observed twice: each of its elements makes two combinations.
  @inlinable
  public static func combineLatest<First, Second, each Other>(
    _ first: EventStream<First, Failure>, _ second: EventStream<Second, Failure>,
    _ others: repeat EventStream<each Other, Failure>
  ) -> EventStream where Element == (First, Second, repeat each Other) {
    latest(of: SourcePack(first, second, repeat each others))
  }

  /// The same for sources that are a pack already, of any number: with none it sends the empty tuple
  /// and completes.
  @inlinable
  static func latest<each Part>(
    of sources: SourcePack<repeat each Part, Failure>
  ) -> EventStream where Element == (repeat each Part) {
    .unguarded { observer in
      let slots = SlotPack(repeat (each Part).self)
      let engine = CombiningLatest(slots.count, into: observer) { slots.row() }
      engine.begin { slots.observe(sources, by: engine) }
    }
  }

  /// Sends the latest elements of all streams of a collection, whenever one of them sends.
  ///
  ///     a                       --1-------2-----|
  ///     b                       ----3--------4--|
  ///     combineLatest([a, b])   ----[1,3]-[2,3]-[2,4]|
  ///
  ///     EventStream.combineLatest(fields.map(\.isValid)).map { $0.allSatisfy { $0 } }
  ///
  /// *Events*: as with a list of sources; with no streams it sends `[]` and completes.
  ///
  /// *Complexity*: an element takes constant time where nobody keeps the array that was sent before.
  public static func combineLatest<Part>(
    _ sources: some Collection<EventStream<Part, Failure>>
  ) -> EventStream where Element == [Part] {
    .unguarded { observer in
      let latest = LatestArray<Part>(count: sources.count)
      let engine = CombiningLatest(sources.count, into: observer) { latest.row() }
      engine.begin {
        for (index, source) in sources.enumerated() {
          engine.observe(source) { latest.store($0, at: index) }
        }
      }
    }
  }
}

/// One run of `combineLatest`: it knows when there is a row to send, but not what a row is made of.
@usableFromInline
final class CombiningLatest<Row, Failure: Error>: KeepingEngine {
  @usableFromInline let outlet: Outlet<Row, Failure>
  @usableFromInline let row: () -> Row
  @usableFromInline let children = CompositeDisposable()
  /// How many sources have not sent yet.
  @usableFromInline @exclusivity(unchecked) var missing: Int
  /// How many sources have not ended yet.
  @usableFromInline @exclusivity(unchecked) var running: Int

  @inlinable
  init(_ count: Int, into observer: Observer<Row, Failure>, row: @escaping () -> Row) {
    outlet = Outlet(observer)
    self.row = row
    missing = count
    running = count
    observer.observation.add(children)
  }

  /// Observes the sources by the closure; without any there is one row, and nothing to wait for.
  @inlinable
  func begin(_ observeSources: () -> Void) {
    if running > 0 { return observeSources() }
    outlet.next(row())
    outlet.end(.completed)
  }

  @inlinable
  func observe<Value>(_ source: EventStream<Value, Failure>, keep: @escaping (Value) -> Void) {
    guard outlet.isOpen else { return }
    let child = Disposable()
    children.add(child)
    let voice = Voice()
    source.start(
      in: child,
      next: { value in
        keep(value)
        if voice.isSilent {
          voice.isSilent = false
          self.missing -= 1
        }
        if self.missing == 0 { self.outlet.next(self.row()) }
      },
      end: { self.ended($0, wasSilent: voice.isSilent) })
  }

  @usableFromInline
  func ended(_ termination: Termination<Failure>, wasSilent: Bool) {
    switch termination {
    case .failed: outlet.end(termination)
    case .completed:
      running -= 1
      if wasSilent || running == 0 { outlet.end(.completed) }
    }
  }
}

/// The latest elements of a collection of streams, changed in place once all have sent.
private final class LatestArray<Part> {
  /// What came so far, while some are missing; then empty.
  private var early: [Part?]
  private var latest: [Part] = []

  init(count: Int) {
    early = Array(repeating: nil, count: count)
  }

  func store(_ element: Part, at index: Int) {
    if early.isEmpty { latest[index] = element } else { early[index] = element }
  }

  /// The latest elements. Every stream must have sent.
  func row() -> [Part] {
    if !early.isEmpty {
      latest = early.compactMap { $0 }
      early = []
    }
    return latest
  }
}
