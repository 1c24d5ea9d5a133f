import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct RetryTests {
  /// A stream that fails `failures` times and then completes. It counts its observations.
  private final class Flaky {
    private(set) var attempts = 0
    private let failures: Int

    init(failures: Int) {
      self.failures = failures
    }

    var stream: EventStream<Int, ContractFailure> {
      .deferred {
        self.attempts += 1
        let end: EventStream<Int, ContractFailure> =
          self.attempts > self.failures ? .completed : .failed(ContractFailure())
        return .just(self.attempts).append(end)
      }
    }
  }

  @Test func countsAllAttempts() {
    let flaky = Flaky(failures: 5)
    let recorder = flaky.stream.retry(3).record()
    #expect(recorder.events == [.next(1), .next(2), .next(3), .failed(ContractFailure())])
    #expect(flaky.attempts == 3)
  }

  @Test func oneAttemptNeverRetries() {
    let flaky = Flaky(failures: 5)
    #expect(flaky.stream.retry(1).record().events == [.next(1), .failed(ContractFailure())])
  }

  @Test func eachObservationCountsItsOwnAttempts() {
    let flaky = Flaky(failures: 3)
    let stream = flaky.stream.retry(2)
    #expect(stream.record().failure != nil)
    #expect(stream.record().events == [.next(3), .next(4), .completed])
  }

  @Test func withoutALimitItRetriesUntilSuccess() {
    let flaky = Flaky(failures: 2)
    #expect(
      flaky.stream.retry().record().events == [.next(1), .next(2), .next(3), .completed])
  }

  @Test func manyAttemptsDoNotRecurse() {
    let flaky = Flaky(failures: 100_000)
    #expect(flaky.stream.retry().record().isCompleted)
    #expect(flaky.attempts == 100_001)
  }

  @Test func tearsDownTheFailedSourceFirst() {
    var running = 0
    var most = 0
    let source = EventStream<Int, ContractFailure> { observer in
      running += 1
      most = max(most, running)
      observer.failed(ContractFailure())
      return Disposable { running -= 1 }
    }
    #expect(source.retry(5).record().failure != nil)
    #expect(most == 1)
    #expect(running == 0)
  }

  @Test func withoutALimitItStopsOnDisposal() {
    let flaky = Flaky(failures: .max)
    let observation = Disposable()
    flaky.stream.retry().start(
      in: observation, next: { if $0 == 1000 { observation.dispose() } }, end: { _ in })
    #expect(flaky.attempts == 1000)
  }

  @Test func trapsBelowOneAttempt() async {
    await #expect(processExitsWith: .failure) {
      _ = EventStream<Int, ContractFailure>.never.retry(0)
    }
    await #expect(processExitsWith: .failure) {
      _ = EventStream<Int, ContractFailure>.never.retry(0, backoff: Backoff())
    }
  }

  @Test func backoffLengthensEachPause() {
    let scheduler = TestScheduler()
    let flaky = Flaky(failures: 5)
    let recorder = scheduler.record(
      flaky.stream.retry(4, backoff: Backoff(jitter: 0), on: scheduler))
    scheduler.run()
    #expect(
      recorder.timedEvents == [
        Timed(.zero, .next(1)), Timed(.seconds(1), .next(2)), Timed(.seconds(3), .next(3)),
        Timed(.seconds(7), .next(4)), Timed(.seconds(7), .failed(ContractFailure())),
      ])
  }

  @Test("The pauses begin again after a source that has worked as long as the longest pause")
  func pausesBeginAgain() {
    let scheduler = TestScheduler()
    let times = [0, 0, 9, 10, 0, 0].map { Duration.seconds($0) }
    var starts: [Duration] = []
    let source = EventStream<Int, ContractFailure>.deferred {
      starts.append(scheduler.now)
      return EventStream<Void, Never>.timer(after: times[starts.count - 1], on: scheduler)
        .failing(with: ContractFailure.self)
        .flatMap { _ in EventStream<Int, ContractFailure>.failed(ContractFailure()) }
    }
    let backoff = Backoff(maximum: .seconds(10), jitter: 0)
    let recorder = scheduler.record(source.retry(6, backoff: backoff, on: scheduler))
    scheduler.run()
    // Pauses of 1, 2 and 4 seconds, and then of 1 and 2 seconds.
    #expect(starts == [0, 1, 3, 16, 27, 29].map { .seconds($0) })
    #expect(recorder.failure == ContractFailure())
  }

  @Test func aSeedDeterminesThePauses() {
    let backoff = Backoff(seed: 42)
    let scheduler = TestScheduler()
    let flaky = Flaky(failures: 3)
    let recorder = scheduler.record(flaky.stream.retry(backoff: backoff, on: scheduler))
    scheduler.run()
    var times: [Duration] = [.zero]
    for delay in backoff.delays().prefix(3) { times.append(times[times.count - 1] + delay) }
    #expect(recorder.timedEvents.map(\.time) == times + [times[3]])
    #expect(recorder.isCompleted)
  }

  @Test func eachObservationStartsWithTheFirstDelay() {
    let scheduler = TestScheduler()
    let stream = EventStream<Int, ContractFailure>.failed(ContractFailure())
      .retry(3, backoff: Backoff(jitter: 0), on: scheduler)
    for start in [Duration.zero, .seconds(3)] {
      let recorder = scheduler.record(stream)
      scheduler.run()
      #expect(recorder.timedEvents == [Timed(start + .seconds(3), .failed(ContractFailure()))])
    }
  }

  @Test func worksOnAnImmediateScheduler() {
    let flaky = Flaky(failures: 1000)
    let recorder = flaky.stream.retry(backoff: Backoff(), on: ImmediateScheduler()).record()
    #expect(recorder.isCompleted)
  }

  @Test func disposalDuringAPauseCancelsTheTimer() {
    let scheduler = TestScheduler()
    let flaky = Flaky(failures: 5)
    let recorder = scheduler.record(flaky.stream.retry(backoff: Backoff(), on: scheduler))
    #expect(scheduler.pending == 1)
    recorder.dispose()
    #expect(scheduler.pending == 0)
  }

  @Test func keepsTheContracts() {
    expectContracts(.outlivesSource) { source, probe in
      source
        .filter { _ in
          probe.touch()
          return true
        }
        .retry(2)
    }
    expectContracts([.outlivesSource, .observesAgain, .timed]) { source, probe in
      source
        .filter { _ in
          probe.touch()
          return true
        }
        .retry(3, backoff: Backoff(seed: 1), on: probe.scheduler)
    }
  }
}
