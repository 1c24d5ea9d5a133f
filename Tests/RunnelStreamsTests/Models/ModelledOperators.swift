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

  /// A step that observes its source again, later.
  init(
    again name: String, _ operate: @escaping (ModelStream) -> ModelStream,
    _ refer: @escaping (@escaping Reference) -> Reference
  ) {
    self.name = name
    self.operate = { stream, _ in operate(stream) }
    self.refer = refer
  }
}

// MARK: - The operators: to add one, add a line

extension ModelStep {
  /// A step with random parameters.
  typealias Maker = @Sendable (inout SeededGenerator) -> ModelStep

  static let linear: [Maker] = [
    { random in
      let k = random.number(1...9)
      return ModelStep("map(+\(k))", { $0.map { $0 &+ k } }, { $0.mapped { $0 &+ k } })
    },
    { random in
      let k = random.number(2...3)
      return ModelStep(
        "filter(%\(k))", { $0.filter { $0 % k == 0 } },
        { t in t.replacing(t.elements.filter { $0.value % k == 0 }) })
    },
    { random in
      let k = random.number(2...9)
      return ModelStep(
        "map(throws at \(k))",
        { stream in
          stream.map { value throws(ModelFailure) in
            if value % 10 == k { throw ModelFailure() }
            return value
          }
        }, { t in t.failing { $0 % 10 == k } })
    },
  ]

  static let timed: [Maker] = [
    { random in
      let quiet = random.number(1...4_000)
      return ModelStep(
        timed: "debounce(\(quiet))",
        { $0.debounce(for: .microseconds(quiet), on: $1) }, { $0.debounced(quiet) })
    }
  ]

  static let combining: [Maker] = [
    { _ in
      ModelStep(
        "combineLatest(self)",
        { EventStream<(Int, Int), ModelFailure>.combineLatest($0, $0).map { $0.0 &* 3 &+ $0.1 } },
        { $0.combinedWithLatest($0) { $0 &* 3 &+ $1 } })
    },
    { _ in
      ModelStep(
        again: "append(self)", { $0.append($0) },
        { source in { source($0).appending(source) } })
    },
    { random in
      let k = random.number(1...99)
      return ModelStep(
        "append(just \(k))", { $0.append(.just(k)) }, { $0.appending { Timeline.just(k, $0) } })
    },
  ]

  static let flattening: [Maker] = [
    { random in
      let inner = ModelInner(using: &random)
      return ModelStep(
        timed: "flatMap(\(inner.name))",
        { s, scheduler in s.flatMap { inner.stream($0, scheduler) } },
        { $0.flatMapped(inner.reference) })
    },
    { random in
      let inner = ModelInner(using: &random)
      return ModelStep(
        timed: "concatMap(\(inner.name))",
        { s, scheduler in s.concatMap { inner.stream($0, scheduler) } },
        { $0.concatMapped(inner.reference) })
    },
  ]

  static let all = [linear, timed, combining, flattening].flatMap { $0 }
}

// MARK: - Their parts

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
  func mapped(_ transform: (Int) -> Int) -> Timeline {
    replacing(elements.map { ($0.time, transform($0.value)) })
  }

  func failing(_ isWrong: (Int) -> Bool) -> Timeline {
    Timeline(
      moments.map { moment in
        guard case .next(let value) = moment.what, isWrong(value) else { return moment }
        return Moment(time: moment.time, what: .failed)
      })
  }

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
