import RunnelStreams
import RunnelTesting

struct ModelFailure: Error, Hashable {}

typealias ModelStream = EventStream<Int, ModelFailure>

/// One step of a random chain: what is tested, and what it is compared with.
struct ModelStep {
  let name: String
  let operate: (ModelStream, TestScheduler) -> ModelStream
  let refer: (@escaping Reference) -> Reference

  /// A step that has no use for the scheduler or for the time of observation.
  init(
    _ name: String, _ operate: @escaping (ModelStream) -> ModelStream,
    _ refer: @escaping (Timeline) -> Timeline
  ) {
    self.init(timed: name, { stream, _ in operate(stream) }, refer)
  }

  /// A step that takes a scheduler.
  init(
    timed name: String, _ operate: @escaping (ModelStream, TestScheduler) -> ModelStream,
    _ refer: @escaping (Timeline) -> Timeline
  ) {
    self.name = name
    self.operate = operate
    self.refer = { source in { refer(source($0)) } }
  }

  /// A step for which it matters when it is observed, or that observes its source at another time.
  init(
    observed name: String, _ operate: @escaping (ModelStream, TestScheduler) -> ModelStream,
    _ refer: @escaping (@escaping Reference) -> Reference
  ) {
    self.name = name
    self.operate = operate
    self.refer = refer
  }
}

// MARK: - Parts of steps

/// The inner streams of a flattening step: elements at delays, then an end.
struct ModelInner {
  private let delays: [Int]
  private let end: Timeline.What

  init(using random: inout SeededGenerator) {
    let isAtOnce = random.number(0...2) == 0
    delays = (0...random.number(0...2)).map { _ in isAtOnce ? 0 : random.number(1...5_000) }
      .sorted()
    end = random.number(0...9) == 0 ? .failed : .completed
  }

  var name: String { "\(delays) \(end)" }

  func stream(_ value: Int, _ scheduler: TestScheduler) -> ModelStream {
    let timeline = reference(value)(0)
    if timeline.moments.allSatisfy({ $0.time == 0 }) {
      return .unguarded { observer in
        for moment in timeline.moments { observer.send(moment.event) }
      }
    }
    return ColdStream(timeline.moments.map(\.timed), on: scheduler).stream
  }

  func reference(_ value: Int) -> Reference {
    { time in
      let elements = delays.enumerated().map { index, delay in
        Timeline.Moment(time: time + delay, what: .next(value &+ index))
      }
      return Timeline(elements + [Timeline.Moment(time: time + (delays.last ?? 0), what: end)])
    }
  }
}

extension Timeline {
  static func just(_ value: Int, _ time: Int) -> Timeline {
    Timeline([Moment(time: time, what: .next(value)), Moment(time: time, what: .completed)])
  }
}

extension Timeline.Moment {
  var event: StreamEvent<Int, ModelFailure> {
    switch what {
    case .next(let value): .next(value)
    case .failed: .failed(ModelFailure())
    case .completed: .completed
    }
  }

  var timed: Timed<StreamEvent<Int, ModelFailure>> { Timed(.microseconds(time), event) }
}

extension SeededGenerator {
  mutating func number(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &self)
  }
}
