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

// MARK: - The operators: to add one, add a line

extension ModelStep {
  /// A step with random parameters.
  typealias Maker = @Sendable (inout SeededGenerator) -> ModelStep

  static let transforming: [Maker] = [
    { random in
      let k = random.number(1...9)
      return ModelStep("map(+\(k))", { $0.map { $0 &+ k } }, { $0.mapped { $0 &+ k } })
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
        }, { $0.failing { $0 % 10 == k } })
    },
    { _ in ModelStep("scan", { $0.scan(0) { $0 &+ $1 } }, { $0.scanned() }) },
    { _ in
      ModelStep(
        "reduce", { $0.reduce(0) { $0 &+ $1 } }, { $0.atCompletion { [$0.reduce(0, &+)] } })
    },
    { _ in ModelStep("toArray", { $0.toArray().map(\.count) }, { $0.atCompletion { [$0.count] } })
    },
    { _ in ModelStep("pairwise", { $0.pairwise().map { $0.1 &- $0.0 } }, { $0.pairwise() }) },
    { _ in ModelStep("materialize", { $0.materialize().dematerialize() }, { $0 }) },
    { random in
      let n = random.number(1...3)
      return ModelStep(
        "buffer(\(n))", { $0.buffer(count: n).map { $0.reduce(0, &+) } }, { $0.buffered(n) })
    },
  ]

  static let filtering: [Maker] = [
    { random in
      let k = random.number(2...3)
      return ModelStep(
        "filter(%\(k))", { $0.filter { $0 % k == 0 } },
        { t in t.replacing(t.elements.filter { $0.value % k == 0 }) })
    },
    { random in
      let n = random.number(0...4)
      return ModelStep(
        observed: "take(\(n))", { s, _ in s.take(n) }, { source in { source($0).taking(n, $0) } })
    },
    { random in
      let k = random.number(20...90)
      return ModelStep(
        "take(while <\(k))", { $0.take(while: { $0 < k }) }, { $0.taking(while: { $0 < k }) })
    },
    { random in
      let k = random.number(20...90)
      return ModelStep(
        "take(through >\(k))", { $0.take(through: { $0 > k }) }, { $0.taking(through: { $0 > k }) })
    },
    { random in
      let n = random.number(0...3)
      return ModelStep(
        "skip(\(n))", { $0.skip(n) }, { $0.replacing(Array($0.elements.dropFirst(n))) })
    },
    { random in
      let k = random.number(20...90)
      return ModelStep(
        "skip(while <\(k))", { $0.skip(while: { $0 < k }) },
        { t in t.replacing(Array(t.elements.drop { $0.value < k })) })
    },
    { random in
      let n = random.number(0...3)
      return ModelStep("skipLast(\(n))", { $0.skipLast(n) }, { $0.skippingLast(n) })
    },
    { random in
      let n = random.number(0...3)
      return ModelStep(
        "takeLast(\(n))", { $0.takeLast(n) }, { $0.atCompletion { Array($0.suffix(n)) } })
    },
    { random in
      let n = random.number(0...3)
      return ModelStep(
        "element(at \(n))", { $0.element(at: n) },
        { t in
          t.taking(n + 1, 0).replacing(Array(t.elements.dropFirst(n).prefix(1)))
        })
    },
    { _ in ModelStep("last", { $0.last() }, { $0.atCompletion { Array($0.suffix(1)) } }) },
    { _ in
      ModelStep(
        "distinctUntilChanged", { $0.map { $0 / 30 }.distinctUntilChanged() },
        { $0.mapped { $0 / 30 }.changed() })
    },
    { _ in
      ModelStep(
        "distinct", { $0.map { $0 / 30 }.distinct() }, { $0.mapped { $0 / 30 }.distinct() })
    },
  ]

  static let timed: [Maker] = [
    { random in
      let d = random.number(1...4_000)
      return ModelStep(
        timed: "debounce(\(d))", { $0.debounce(for: .microseconds(d), on: $1) },
        { $0.debounced(d) })
    },
    { random in
      let d = random.number(1...6_000)
      let latest = random.number(0...1) == 0
      return ModelStep(
        timed: "throttle(\(d), latest: \(latest))",
        { $0.throttle(for: .microseconds(d), latest: latest, on: $1) },
        { $0.throttled(d, latest: latest) })
    },
    { random in
      let d = random.number(1...6_000)
      return ModelStep(
        timed: "delay(\(d))", { $0.delay(for: .microseconds(d), on: $1) }, { $0.delayed(d) })
    },
    { random in
      let d = random.number(1...6_000)
      return ModelStep(
        observed: "delaySubscription(\(d))",
        { $0.delaySubscription(for: .microseconds(d), on: $1) },
        { source in { source($0 + d) } })
    },
    { random in
      let d = random.number(1...30_000)
      return ModelStep(
        observed: "take(for \(d))", { $0.take(for: .microseconds(d), on: $1) },
        { source in { source($0).taking(until: $0 + d) } })
    },
    { random in
      let d = random.number(1...10_000)
      return ModelStep(
        observed: "skip(for \(d))", { $0.skip(for: .microseconds(d), on: $1) },
        { source in { source($0).skipping(until: $0 + d) } })
    },
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
        observed: "append(self)", { s, _ in s.append(s) },
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
        timed: "flatMap(\(inner.name))", { s, on in s.flatMap { inner.stream($0, on) } },
        { $0.flatMapped(inner.reference) })
    },
    { random in
      let inner = ModelInner(using: &random)
      return ModelStep(
        timed: "concatMap(\(inner.name))", { s, on in s.concatMap { inner.stream($0, on) } },
        { $0.concatMapped(inner.reference) })
    },
    { random in
      let inner = ModelInner(using: &random)
      return ModelStep(
        timed: "flatMapLatest(\(inner.name))",
        { s, on in s.flatMapLatest { inner.stream($0, on) } },
        { $0.flatMappedToLatest(inner.reference) })
    },
    { random in
      let inner = ModelInner(using: &random)
      return ModelStep(
        timed: "flatMapFirst(\(inner.name))", { s, on in s.flatMapFirst { inner.stream($0, on) } },
        { $0.flatMappedToFirst(inner.reference) })
    },
  ]

  static let all = [transforming, filtering, timed, combining, flattening].flatMap { $0 }
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
