import RunnelStreams
import RunnelTesting

struct ModelFailure: Error, Hashable {}

typealias ModelStream = EventStream<Int, ModelFailure>

/// A step of a random chain: an operator and its reference implementation.
struct ModelStep {
  let name: String
  let operate: (ModelStream, TestScheduler) -> ModelStream
  let refer: (@escaping Reference) -> Reference

  /// Creates a step that ignores the scheduler and the time of observation.
  init(
    _ name: String, _ operate: @escaping (ModelStream) -> ModelStream,
    _ refer: @escaping (Timeline) -> Timeline
  ) {
    self.init(timed: name, { stream, _ in operate(stream) }, refer)
  }

  /// Creates a step that takes a scheduler.
  init(
    timed name: String, _ operate: @escaping (ModelStream, TestScheduler) -> ModelStream,
    _ refer: @escaping (Timeline) -> Timeline
  ) {
    self.name = name
    self.operate = operate
    self.refer = { source in { refer(source($0)) } }
  }

  /// Creates a step that depends on its time of observation, or that observes its source later.
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

/// The inner streams of a flattening step: elements at given times, then an end.
struct ModelInner {
  private enum Kind: CaseIterable {
    /// All events are sent during the observation.
    case atOnce
    /// Times count from the observation.
    case cold
    /// One hot stream for all observations.
    case hot
  }

  private let kind: Kind
  private let times: [Int]
  private let end: Timeline.Moment

  init(using random: inout SeededGenerator) {
    kind = Kind.allCases.randomElement(using: &random) ?? .atOnce
    let last = kind == .hot ? 25_000 : 5_000
    let isAtOnce = kind == .atOnce
    times = (0...random.number(0...2)).map { _ in isAtOnce ? 0 : random.number(1...last) }
      .sorted()
    // A hot stream has several observers. All receive an element before any receives the end.
    let pause = kind == .hot ? random.number(1...5_000) : 0
    end = Timeline.Moment(
      time: (times.last ?? 0) + pause, what: random.number(0...9) == 0 ? .failed : .completed)
  }

  var name: String { "\(kind) \(times) \(end.what) at \(end.time)" }

  /// Returns a closure that creates the inner stream for a value.
  func streams(on scheduler: TestScheduler) -> (Int) -> ModelStream {
    switch kind {
    case .atOnce:
      { value in
        .unguarded { observer in
          for moment in script(value).moments { observer.send(moment.event) }
        }
      }
    case .cold:
      { value in ColdStream(script(value).timedEvents, on: scheduler).stream }
    case .hot:
      { [hot = HotStream(script(0).timedEvents, on: scheduler)] value in
        hot.map { $0 &+ value }
      }
    }
  }

  func reference(_ value: Int) -> Reference {
    let script = script(value)
    return kind == .hot ? script.hot : script.cold
  }

  private func script(_ value: Int) -> Timeline {
    let elements = times.enumerated().map { index, time in
      Timeline.Moment(time: time, what: .next(value &+ index))
    }
    return Timeline(elements + [end])
  }
}

/// The triggers of a step: signals that may complete, timed from the observation.
struct ModelTrigger {
  private let script: Timeline

  init(using random: inout SeededGenerator) {
    let times = (0..<random.number(0...5)).map { _ in random.number(1...20_000) }.sorted()
    let end =
      random.number(0...1) == 0
      ? [Timeline.Moment(time: (times.last ?? 0) + random.number(1...5_000), what: .completed)] : []
    script = Timeline(times.map { Timeline.Moment(time: $0, what: .next(0)) } + end)
  }

  var name: String { "\(script.moments.map { "\($0.time) \($0.what)" })" }

  func stream(on scheduler: TestScheduler) -> EventStream<Int, Never> {
    let events = script.moments.map { moment in
      Timed(
        .microseconds(moment.time),
        moment.what == .completed ? StreamEvent<Int, Never>.completed : .next(0))
    }
    return ColdStream(events, on: scheduler).stream
  }

  var reference: Reference { script.cold }
}

extension Timeline {
  static func just(_ value: Int, _ time: Int) -> Timeline {
    Timeline([Moment(time: time, what: .next(value)), Moment(time: time, what: .completed)])
  }

  var timedEvents: [Timed<StreamEvent<Int, ModelFailure>>] { moments.map(\.timed) }

  /// A script whose times count from the observation.
  var cold: Reference {
    { time in Timeline(moments.map { Moment(time: time + $0.time, what: $0.what) }) }
  }

  /// A hot script. A late observer receives the terminal event at once.
  var hot: Reference {
    { time in
      Timeline(
        moments.compactMap { moment in
          if moment.time > time { return moment }
          if case .next = moment.what { return nil }
          return Moment(time: time, what: moment.what)
        })
    }
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
