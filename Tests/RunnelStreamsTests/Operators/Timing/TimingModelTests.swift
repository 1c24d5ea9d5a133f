import RunnelStreams
import RunnelTesting
import Testing

/// The timed operators on random scripts, compared with the reference. Unlike the events of
/// `ModelTests`, events of a script and timers may coincide.
@Suite struct TimingModelTests {
  @Test(arguments: seeds(100))
  func operatorsAgreeWithTheReference(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let script = randomScript(&random)
    let span = random.number(0...6)
    let duration = Duration.microseconds(span)

    func expect(
      _ expected: Timeline, at location: Testing.SourceLocation = #_sourceLocation,
      of operation: (ModelStream, TestScheduler) -> ModelStream
    ) {
      let scheduler = TestScheduler()
      let source = HotStream(script.timedEvents, on: scheduler)
      let recorder = scheduler.record(operation(source.stream, scheduler))
      scheduler.run()
      #expect(
        recorder.timedEvents == expected.timedEvents,
        "seed \(seed), \(span) µs, \(script.timedEvents)", sourceLocation: location)
    }

    expect(script.debounced(span)) { $0.debounce(for: duration, on: $1) }
    expect(script.delayed(span)) { $0.delay(for: duration, on: $1) }
    expect(script.throttled(span, latest: true)) { $0.throttle(for: duration, on: $1) }
    expect(script.throttled(span, latest: false)) {
      $0.throttle(for: duration, latest: false, on: $1)
    }
    expect(script.timedOut(span)) {
      $0.timeout(after: duration, failingWith: ModelFailure(), on: $1)
    }
  }

  /// Returns up to 12 elements, 0 to 5 microseconds apart, then perhaps an end.
  private func randomScript(_ random: inout SeededGenerator) -> Timeline {
    var time = 0
    var moments: [Timeline.Moment] = []
    for number in 0..<random.number(0...12) {
      time += random.number(0...5)
      moments.append(Timeline.Moment(time: time, what: .next(number)))
    }
    time += random.number(0...5)
    switch random.number(0...2) {
    case 0: moments.append(Timeline.Moment(time: time, what: .completed))
    case 1: moments.append(Timeline.Moment(time: time, what: .failed))
    default: break
    }
    return Timeline(moments)
  }
}
