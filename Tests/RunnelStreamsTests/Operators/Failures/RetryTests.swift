import RunnelStreams
import RunnelTesting
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

  @Test("The pauses grow until the source sends an element")
  func backoffLengthensEachPause() {
    let scheduler = TestScheduler()
    var attempt = 0
    let source = EventStream<Int, ContractFailure>.deferred {
      attempt += 1
      let failed = EventStream<Int, ContractFailure>.failed(ContractFailure())
      return attempt == 4 ? .just(attempt).append(failed) : failed
    }
    let recorder = scheduler.record(
      source.retry(6, backoff: Backoff(jitter: 0), on: scheduler))
    scheduler.run()
    // Pauses of 1, 2 and 4 seconds, and then 1 and 2 seconds.
    #expect(
      recorder.timedEvents == [
        Timed(.seconds(7), .next(4)), Timed(.seconds(10), .failed(ContractFailure())),
      ])
  }

  @Test func aSeedDeterminesThePauses() {
    let backoff = Backoff(seed: 42)
    let scheduler = TestScheduler()
    let flaky = Flaky(failures: 3)
    let stream = flaky.stream.filter { $0 > 3 }.retry(backoff: backoff, on: scheduler)
    let recorder = scheduler.record(stream)
    scheduler.run()
    let time = backoff.delays().prefix(3).reduce(.zero, +)
    #expect(recorder.timedEvents.map(\.time) == [time, time])
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
