import RunnelStreams
import RunnelTesting

/// A random source and random inner streams, many of which overlap.
///
/// Source elements come at multiples of ten microseconds. The elements of an inner stream come one
/// microsecond after its start and then ten microseconds apart. The last one ends the stream.
struct FlatteningScript: CustomStringConvertible {
  private let seed: UInt64
  /// Its elements are the indices of the inner streams.
  private let source: Timeline
  /// The inner streams. Their times count from the observation.
  private let inner: [Timeline]

  init(seed: UInt64) {
    self.seed = seed
    var random = SeededGenerator(seed: seed)
    var time = 0
    var selections: [Timeline.Moment] = []
    var inner: [Timeline] = []
    for index in 0..<random.number(0...8) {
      time += 10 * random.number(1...4)
      selections.append(Timeline.Moment(time: time, what: .next(index)))
      let elements = (0..<random.number(1...5)).map { number in
        Timeline.Moment(time: 1 + 10 * number, what: .next(index * 10 + number))
      }
      let end = elements.suffix(1).map { Timeline.Moment(time: $0.time, what: .completed) }
      inner.append(Timeline(elements + end))
    }
    source = Timeline(selections + [Timeline.Moment(time: time + 5, what: .completed)])
    self.inner = inner
  }

  var description: String {
    "seed \(seed): starts \(source.elements.map(\.time)), lengths \(inner.map(\.elements.count))"
  }

  func expected(_ operation: FlatteningOperator) -> [Timed<StreamEvent<Int, ModelFailure>>] {
    source.flattened(by: operation) { inner[$0].cold }.timedEvents
  }

  func actual(_ operation: FlatteningOperator) -> [Timed<StreamEvent<Int, ModelFailure>>] {
    let scheduler = TestScheduler()
    let events = inner.map(\.timedEvents)
    let hot = HotStream(source.timedEvents, on: scheduler)
    let recorder = scheduler.record(
      hot.flattened(by: operation) { ColdStream(events[$0], on: scheduler).stream })
    scheduler.run()
    return recorder.timedEvents
  }
}
