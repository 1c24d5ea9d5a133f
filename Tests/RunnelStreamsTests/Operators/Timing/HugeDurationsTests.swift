import RunnelTesting
import Testing

@testable import RunnelStreams

/// The longest durations, which mean never, and the most negative durations, which count as zero.
@Suite struct HugeDurationsTests {
  private typealias Operator = (NumberStream, Duration, TestScheduler) -> NumberStream

  private let scheduler = TestScheduler()
  private let script: [Timed<StreamEvent<Int, ContractFailure>>] = [
    at(1, .next(1)), at(2, .next(2)), at(3, .next(3)), at(4, .completed),
  ]
  /// Each span, added to the time of its first use, exceeds the end of time.
  private static let spans = [
    Duration(attoseconds: .max), Duration(attoseconds: .max) - .milliseconds(100),
  ]
  private static let lowest = Duration(attoseconds: .min)

  // MARK: - Never

  @Test(arguments: spans)
  func anEventAfterTheEndOfTimeNeverComes(span: Duration) {
    #expect(events { $0.delay(for: span, on: $1) } == [])
    #expect(events { $0.delaySubscription(for: span, on: $1) } == [])
    #expect(events { $0.throttle(for: span, on: $1) } == [at(1, .next(1))])
    #expect(
      events { source, on in source.flatMap { _ in ticks(every: span, on: on) } } == [])
    #expect(
      events { source, on in
        source.flatMap { number in
          EventStream<Void, ContractFailure>.timer(after: span, on: on).map { number }
        }
      } == [])
  }

  @Test(arguments: spans)
  func aLimitAfterTheEndOfTimeNeverApplies(span: Duration) {
    let all = script
    #expect(events { $0.take(for: span, on: $1) } == all)
    #expect(events { $0.timeout(after: span, failingWith: ContractFailure(), on: $1) } == all)
    #expect(events { $0.timeout(after: span, switchingTo: .just(9), on: $1) } == all)
    #expect(events { $0.skip(for: span, on: $1) } == [at(4, .completed)])
    #expect(events { $0.debounce(for: span, on: $1) } == [at(4, .next(3)), at(4, .completed)])
    #expect(
      events { $0.throttle(for: span, latest: false, on: $1) }
        == [at(1, .next(1)), at(4, .completed)])
    #expect(
      events { $0.buffer(for: span, on: $1).map(\.count) } == [at(4, .next(3)), at(4, .completed)])
    #expect(
      events { $0.buffer(for: span, orCount: 2, on: $1).map(\.count) }
        == [at(2, .next(2)), at(4, .next(1)), at(4, .completed)])
    #expect(
      events { source, on in source.window(for: span, on: on).flatMap { $0.reduce(0, +).stream } }
        == [at(4, .next(6)), at(4, .completed)])
    #expect(
      events { source, on in
        source.window(for: span, orCount: 2, on: on).flatMap { $0.reduce(0, +).stream }
      } == [at(2, .next(3)), at(4, .next(3)), at(4, .completed)])
  }

  @Test(arguments: spans)
  func aPauseBeyondTheEndOfTimeIsTheLast(span: Duration) {
    let backoff = Backoff(initial: span, maximum: span, jitter: 0)
    let failing: NumberStream = .just(1).append(.failed(ContractFailure()))
    let recorder = scheduler.record(
      failing.delaySubscription(for: .seconds(2), on: scheduler)
        .retry(backoff: backoff, on: scheduler))
    scheduler.run()
    #expect(recorder.timedEvents == [at(2, .next(1))])
  }

  @Test func anIntervalStopsAtTheEndOfTime() {
    let half = Duration(attoseconds: .max / 2)
    scheduler.advance(ticks: 1)
    let recorder = scheduler.record(EventStream<Int, Never>.interval(half, on: scheduler))
    scheduler.run()
    #expect(recorder.timedEvents == [Timed(half + .seconds(1), .next(0))])
  }

  @Test func periodsStopAtTheEndOfTime() {
    let half = Duration(attoseconds: .max / 2)
    scheduler.advance(ticks: 1)
    let recorder = scheduler.record(NumberStream.never.buffer(for: half, on: scheduler))
    scheduler.run()
    #expect(recorder.timedEvents == [Timed(half + .seconds(1), .next([]))])
  }

  @Test(arguments: spans)
  func aTimerSetAfterTheEndOfTimeNeverFires(span: Duration) {
    let timer = RestartableTimer(on: scheduler)
    scheduler.advance(ticks: 2)
    timer.set(after: .seconds(1)) { Issue.record("not reached: the timer was set again") }
    timer.set(after: span) { Issue.record("not reached") }
    #expect(scheduler.pending == 0)
    scheduler.run()
    timer.set(after: .seconds(1)) {}
    #expect(scheduler.pending == 1)
  }

  @Test(arguments: spans)
  func aHugeDelayIsScheduledForTheEndOfTime(span: Duration) {
    var time: Duration?
    scheduler.advance(ticks: 2)
    _ = scheduler.schedule(after: span) { [scheduler] in time = scheduler.now }
    scheduler.advance(by: .seconds(Int64.max))
    #expect(time == nil)
    scheduler.run()
    #expect(time == Duration(attoseconds: .max))
  }

  // MARK: - At once

  @Test func theLowestDurationCountsAsZero() {
    let operators: [Operator] = [
      { $0.delay(for: $1, on: $2) },
      { $0.delaySubscription(for: $1, on: $2) },
      { $0.debounce(for: $1, on: $2) },
      { $0.throttle(for: $1, on: $2) },
      { $0.throttle(for: $1, latest: false, on: $2) },
      { $0.take(for: $1, on: $2) },
      { $0.skip(for: $1, on: $2) },
      { $0.timeout(after: $1, failingWith: ContractFailure(), on: $2) },
      { $0.timeout(after: $1, switchingTo: .just(9), on: $2) },
      { source, span, on in
        source.flatMap { number in
          EventStream<Void, ContractFailure>.timer(after: span, on: on).map { number }
        }
      },
      { source, span, on in
        source.append(.failed(ContractFailure()))
          .retry(3, backoff: Backoff(initial: span, maximum: span), on: on)
      },
    ]
    for (index, apply) in operators.enumerated() {
      let below = events { apply($0, Self.lowest, $1) }
      let none = events { apply($0, .zero, $1) }
      #expect(below == none, "operator \(index)")
    }
  }

  @Test func aTimerSetForTheLowestTimeFiresAtOnce() {
    let timer = RestartableTimer(on: scheduler)
    var times: [Duration] = []
    scheduler.advance(ticks: 2)
    timer.set(after: Self.lowest) { times.append(timer.now) }
    scheduler.run()
    timer.set(at: Self.lowest) { times.append(timer.now) }
    scheduler.run()
    #expect(times == [.seconds(2), .seconds(2)])
  }

  // MARK: - Arithmetic

  @Test func sumsAndProductsStayInRange() {
    let longest = Duration(attoseconds: .max)
    let lowest = Duration(attoseconds: .min)
    let one = Duration.seconds(1)
    #expect(one.plus(one) == .seconds(2))
    #expect(one.plus(longest) == longest)
    #expect(longest.plus(longest) == longest)
    #expect((longest - one).plus(one) == longest)
    #expect(lowest.plus(.seconds(-1)) == lowest)
    #expect(lowest.plus(longest) == Duration(attoseconds: -1))
    #expect(one.times(3) == .seconds(3))
    #expect(one.times(-3) == .seconds(-3))
    #expect(longest.times(0) == .zero)
    #expect(longest.times(2) == longest)
    #expect(longest.times(-2) == lowest)
    #expect(lowest.times(2) == lowest)
    #expect(lowest.times(-1) == longest)
  }

  // MARK: - Helpers

  /// Returns the events of an operator on the script, after all timers have fired.
  private func events(
    _ apply: (NumberStream, TestScheduler) -> NumberStream
  ) -> [Timed<StreamEvent<Int, ContractFailure>>] {
    let scheduler = TestScheduler()
    let source = HotStream(script, on: scheduler)
    scheduler.advance(by: .milliseconds(500))
    let recorder = scheduler.record(apply(source.stream, scheduler))
    scheduler.run()
    return recorder.timedEvents
  }

  private func ticks(every period: Duration, on scheduler: TestScheduler) -> NumberStream {
    .interval(period, on: scheduler)
  }
}
