import RunnelStreams
import RunnelTesting

/// Inner streams for tests of flattening operators.
enum InnerStreams {
  /// Returns a stream that sends the element after two ticks and completes.
  static func later<Element, Failure: Error>(
    _ element: Element, on scheduler: TestScheduler
  ) -> EventStream<Element, Failure> {
    ticks(1, apart: .seconds(1), after: .seconds(2), on: scheduler) { _ in element }
  }

  /// Returns a stream of `count` elements, the first after `delay`, the others `gap` apart. It
  /// completes with the last element.
  static func ticks<Element, Failure: Error>(
    _ count: Int, apart gap: Duration, after delay: Duration, on scheduler: TestScheduler,
    _ element: @escaping (Int) -> Element
  ) -> EventStream<Element, Failure> {
    .unguarded { observer in
      for number in 0..<count {
        observer.observation.add(
          scheduler.schedule(after: delay + gap * number) {
            observer.next(element(number))
            if number == count - 1 { observer.completed() }
          })
      }
    }
  }

  /// Returns a stream that logs when it is observed and torn down.
  static func logged<Element, Failure: Error>(
    _ name: String, _ log: Log, _ stream: EventStream<Element, Failure>
  ) -> EventStream<Element, Failure> {
    .unguarded { observer in
      log.lines.append("+\(name)")
      observer.observation.add { log.lines.append("-\(name)") }
      stream.start(observer)
    }
  }

  /// Returns an endless stream that counts its current observations in the log.
  static func counted<Element, Failure: Error>(_ log: Log) -> EventStream<Element, Failure> {
    .unguarded { observer in
      log.alive += 1
      observer.observation.add { log.alive -= 1 }
    }
  }

  /// A log that tests write to.
  final class Log {
    var lines: [String] = []
    var alive = 0
  }
}

/// An object that counts the living objects of its type.
final class Counted {
  final class Census {
    var alive = 0
  }

  private let census: Census

  init(_ census: Census) {
    self.census = census
    census.alive += 1
  }

  deinit {
    census.alive -= 1
  }
}

/// Random inner streams, and the expected arrival times by each flattening rule.
///
/// Source elements come at multiples of ten seconds. The elements of an inner stream come one
/// second later and then ten seconds apart, so no two causes of one operator coincide.
struct FlatteningScript: CustomStringConvertible {
  let seed: UInt64
  /// The start time of each inner stream and its number of elements.
  let inner: [(start: Int, count: Int)]
  var end: Int { (inner.last?.start ?? 0) + 5 }

  init(seed: UInt64) {
    self.seed = seed
    var numbers = SeededGenerator(seed: seed)
    var time = 0
    inner = (0..<Int.random(in: 0...8, using: &numbers)).map { _ in
      time += 10 * Int.random(in: 1...4, using: &numbers)
      return (time, Int.random(in: 1...5, using: &numbers))
    }
  }

  var description: String { "seed \(seed): \(inner)" }

  /// The elements, named `inner stream * 10 + number`, with their times in seconds, and the end
  /// time.
  struct Outcome: Equatable {
    var elements: [[Int]] = []
    var end = 0
  }

  enum Rule: CaseIterable {
    case concat, latest, first
  }

  func expected(_ rule: Rule) -> Outcome {
    var outcome = Outcome(elements: [], end: end)
    var busyUntil = 0
    for (index, entry) in inner.enumerated() {
      var start = entry.start
      if start < busyUntil && rule == .first { continue }
      if rule == .concat { start = max(start, busyUntil) }
      var times = (0..<entry.count).map { start + 1 + 10 * $0 }
      if rule == .latest && index + 1 < inner.count {
        times = times.filter { $0 < inner[index + 1].start }
      }
      for (number, time) in times.enumerated() {
        outcome.elements.append([time, index * 10 + number])
      }
      busyUntil = times.last ?? busyUntil
    }
    outcome.end = max(end, busyUntil)
    return outcome
  }

  func actual(
    _ operation: (
      EventStream<Int, Never>, @escaping (Int) -> EventStream<Int, Never>
    ) -> EventStream<Int, Never>
  ) -> Outcome {
    let scheduler = TestScheduler()
    let source = PushStream<Int>()
    for (index, entry) in inner.enumerated() {
      _ = scheduler.schedule(at: .seconds(entry.start)) { source.next(index) }
    }
    _ = scheduler.schedule(at: .seconds(end)) { source.completed() }
    let stream = operation(source.stream) { index in
      InnerStreams.ticks(
        self.inner[index].count, apart: .seconds(10), after: .seconds(1), on: scheduler
      ) { index * 10 + $0 }
    }
    let recorder = scheduler.record(stream)
    scheduler.run()
    var outcome = Outcome()
    for timed in recorder.timedEvents {
      let time = Int(timed.time.components.seconds)
      switch timed.event {
      case .next(let element): outcome.elements.append([time, element])
      case .completed: outcome.end = time
      }
    }
    return outcome
  }
}
