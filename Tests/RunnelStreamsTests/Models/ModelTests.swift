import RunnelStreams
import RunnelTesting
import Testing

/// Random chains of operators on random scripts, compared with a reference.
///
/// The elements of a script are some random microseconds apart, so no two causes coincide. All
/// events of one moment have one cause, and the reference knows their order.
@Suite struct ModelTests {
  @Test(arguments: 0..<30 as Range<UInt64>)
  func chainsAgreeWithTheReference(block: UInt64) {
    for seed in block * 100..<(block + 1) * 100 {
      let sample = Sample(seed: seed)
      guard let difference = sample.difference() else { continue }
      Issue.record("seed \(seed): \(sample.shrunk())\nfirst difference: \(difference)")
      return
    }
  }

  /// The random chains are not trivial: many send elements, and all operators occur.
  @Test func samplesCoverElementsEndsAndOperators() {
    let samples = (0..<1_000 as Range<UInt64>).map { Sample(seed: $0) }
    #expect(samples.count { $0.expected().elements.count >= 3 } > 250)
    #expect(samples.count { $0.expected().end?.what == .completed } > 100)
    #expect(samples.count { $0.expected().end?.what == .failed } > 100)
    let names = samples.flatMap { $0.steps.map(\.name) }
    let kinds = Set(names.map { $0.prefix { $0 != "(" } })
    #expect(kinds.count >= 37, "\(kinds.sorted())")
    for part in ["(atOnce", "(cold", "(hot", "take(until"] {
      #expect(names.count { $0.contains(part) } > 20, "\(part)")
    }
  }
}

/// A chain, a script, and the time of disposal.
struct Sample: CustomStringConvertible {
  private let isHot: Bool
  private var script: Timeline
  private(set) var steps: [ModelStep]
  private let disposal: Int?

  init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    isHot = random.number(0...1) == 0
    disposal = random.number(0...3) == 0 ? random.number(0...20_000) : nil
    var time = 0
    var moments = (0..<random.number(0...8)).map { _ in
      time += random.number(1...5_000)
      return Timeline.Moment(time: time, what: .next(random.number(0...99)))
    }
    time += random.number(1...5_000)
    switch random.number(0...5) {
    case 0: moments.append(Timeline.Moment(time: time, what: .failed))
    case 1...4: moments.append(Timeline.Moment(time: time, what: .completed))
    default: break
    }
    script = Timeline(moments)
    steps = []
    for _ in 0..<random.number(1...6) {
      guard let make = ModelStep.all.randomElement(using: &random) else { continue }
      let step = make(&random)
      steps.append(step)
      if expected().moments.count > 120 { steps.removeLast() }
    }
  }

  var description: String {
    """
    \(steps.map(\.name)) on a \(isHot ? "hot" : "cold") \(script.timedEvents), \
    disposed at \(disposal.map { "\($0)" } ?? "the end")
    """
  }

  /// Returns the events of the reference.
  func expected() -> Timeline {
    steps.reduce(isHot ? script.hot : script.cold) { source, step in step.refer(source) }(0)
  }

  /// Returns the difference between the operators and the reference, or nil if they agree.
  func difference() -> String? {
    let scheduler = TestScheduler()
    let events = script.timedEvents
    let hot = isHot ? HotStream(events, on: scheduler) : nil
    let cold = ColdStream(events, on: scheduler)
    var stream = hot?.stream ?? cold.stream
    for step in steps { stream = step.operate(stream, scheduler) }
    let recorder = scheduler.record(stream)
    var expected = expected().moments
    if let disposal {
      scheduler.advance(to: .microseconds(disposal))
      recorder.dispose()
      expected.removeAll { $0.time > disposal }
    }
    let isOver = disposal != nil || expected.last.map { $0.event.termination != nil } ?? false
    scheduler.run()
    if recorder.timedEvents != expected.map(\.timed) {
      return "\(self)\nactual   \(recorder.timedEvents)\nexpected \(expected.map(\.timed))"
    }
    let observations = (hot?.observations ?? []) + cold.observations
    if isOver && observations.contains(where: { $0.to == nil }) {
      return "\(self) left its source observed: \(observations)"
    }
    return nil
  }

  /// Returns the same difference with the fewest steps and events that still show it.
  func shrunk() -> String {
    for index in steps.indices {
      var smaller = self
      smaller.steps.remove(at: index)
      if smaller.difference() != nil { return smaller.shrunk() }
    }
    for index in script.moments.indices {
      var smaller = self
      smaller.script.moments.remove(at: index)
      if smaller.difference() != nil { return smaller.shrunk() }
    }
    return difference() ?? "\(self)"
  }
}
