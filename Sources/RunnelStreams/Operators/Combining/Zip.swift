extension EventStream {
  /// Sends the first elements of all sources together, then the second ones, and so on.
  ///
  ///     a           --1--2-----3--|
  ///     b           ----x---y--------z--
  ///     zip(a, b)   ----1x--2y-------3z|
  ///
  ///     EventStream.zip(questions, answers).observeNext { print($0, $1) }
  ///
  /// *Events*: it completes when a source has completed and none of its elements waits any more,
  /// since there can be no further row. The first failure ends it.
  ///
  /// Elements wait for their partners without a limit, so a source that is both endless and
  /// synchronous never comes to an end here.
  @inlinable
  public static func zip<First, Second, each Other>(
    _ first: EventStream<First, Failure>, _ second: EventStream<Second, Failure>,
    _ others: repeat EventStream<each Other, Failure>
  ) -> EventStream where Element == (First, Second, repeat each Other) {
    let sources = SourcePack(first, second, repeat each others)
    return .unguarded { observer in
      let lanes = LanePack(First.self, Second.self, repeat (each Other).self)
      let engine = Zipping(lanes.count, into: observer) { lanes.row(for: $0) }
      engine.begin { lanes.observe(sources, by: engine) }
    }
  }

  /// Sends the first elements of all streams of a collection together, then the second ones, and so
  /// on.
  ///
  ///     a             --1----2------|
  ///     b             ----3------4--|
  ///     zip([a, b])   ----[1,3]--[2,4]|
  ///
  ///     EventStream.zip(players.map(\.moves)).observeNext { moves in judge(moves) }
  ///
  /// *Events*: as with a list of sources; with no streams it completes without an element.
  public static func zip<Part>(
    _ sources: some Collection<EventStream<Part, Failure>>
  ) -> EventStream where Element == [Part] {
    .unguarded { observer in
      let lanes = sources.map { _ in Lane(Part.self) }
      let engine = Zipping(lanes.count, into: observer) { engine in
        lanes.map { engine.take($0) }
      }
      engine.begin {
        for (lane, source) in Swift.zip(lanes, sources) { engine.observe(source, lane) }
      }
    }
  }
}

/// One run of `zip`: it knows when a row is complete, but not what a row is made of.
///
/// A row is sent as soon as it can be, so between two events at least one lane is empty.
@usableFromInline
final class Zipping<Row, Failure: Error> {
  @usableFromInline let outlet: Outlet<Row, Failure>
  @usableFromInline let row: (Zipping) -> Row
  @usableFromInline let children = CompositeDisposable()
  /// How many lanes are empty.
  @usableFromInline @exclusivity(unchecked) var empty: Int
  /// Whether a lane is empty and will stay so.
  @usableFromInline @exclusivity(unchecked) var isOver: Bool

  @inlinable
  init(_ count: Int, into observer: Observer<Row, Failure>, row: @escaping (Zipping) -> Row) {
    outlet = Outlet(observer)
    self.row = row
    empty = count
    isOver = count == 0
    observer.observation.add(children)
  }

  /// Observes the sources by the closure; without any there is nothing to wait for.
  @inlinable
  func begin(_ observeSources: () -> Void) {
    if isOver { outlet.end(.completed) } else { observeSources() }
  }

  @inlinable
  func observe<Value>(_ source: EventStream<Value, Failure>, _ lane: Lane<Value>) {
    guard outlet.isOpen else { return }
    let child = Disposable()
    children.add(child)
    source.start(
      in: child,
      next: { value in
        let wasEmpty = lane.waiting.isEmpty
        lane.waiting.append(value)
        guard wasEmpty else { return }
        self.empty -= 1
        if self.empty == 0 { self.sendRow() }
      },
      end: { termination in
        switch termination {
        case .failed: self.outlet.end(termination)
        case .completed:
          lane.hasEnded = true
          if lane.waiting.isEmpty { self.outlet.end(.completed) }
        }
      })
  }

  @inlinable
  func sendRow() {
    let row = row(self)
    let isOver = isOver
    outlet.next(row)
    if isOver { outlet.end(.completed) }
  }

  /// Takes the first element of a lane, which must not be empty.
  @inlinable
  func take<Value>(_ lane: Lane<Value>) -> Value {
    // Safety: rows are made only when no lane is empty.
    let value = lane.waiting.popFirst().unsafelyUnwrapped
    if lane.waiting.isEmpty {
      empty += 1
      if lane.hasEnded { isOver = true }
    }
    return value
  }
}

/// The elements of one source that wait for their partners.
@usableFromInline
final class Lane<Value> {
  @usableFromInline @exclusivity(unchecked) var waiting = Queue<Value>()
  @usableFromInline @exclusivity(unchecked) var hasEnded = false

  @inlinable
  init(_: Value.Type) {}
}

/// The lanes of a pack of sources.
@usableFromInline
final class LanePack<each Part> {
  @usableFromInline let lanes: (repeat Lane<each Part>)

  @inlinable
  init(_: repeat (each Part).Type) {
    lanes = (repeat Lane((each Part).self))
  }

  @inlinable
  var count: Int {
    var count = 0
    for _ in repeat (each Part).self { count += 1 }
    return count
  }

  @inlinable
  func row<Failure: Error>(
    for engine: Zipping<(repeat each Part), Failure>
  ) -> (repeat each Part) {
    (repeat engine.take(each lanes))
  }

  @inlinable
  func observe<Failure: Error>(
    _ sources: SourcePack<repeat each Part, Failure>,
    by engine: Zipping<(repeat each Part), Failure>
  ) {
    for (lane, source) in repeat (each lanes, each sources.streams) {
      engine.observe(source, lane)
    }
  }
}
