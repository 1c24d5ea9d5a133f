import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct DelaySubscriptionTests {
  let scheduler = TestScheduler()

  @Test func observesTheSourceLater() {
    let numbers = scheduler.subject(
      at(1, .next(1)), at(4, .next(2)), at(5, StreamEvent<Int, ContractFailure>.completed))
    let recorder = scheduler.record(numbers.delaySubscription(for: .seconds(3), on: scheduler))
    #expect(!numbers.isObserved)
    scheduler.run()
    #expect(recorder.timedEvents == [at(4, .next(2)), at(5, .completed)])
  }

  @Test func passesOnAFailure() {
    let recorder = scheduler.record(
      NumberStream.failed(ContractFailure()).delaySubscription(for: .seconds(3), on: scheduler))
    scheduler.run()
    #expect(recorder.timedEvents == [at(3, .failed(ContractFailure()))])
  }

  @Test func aNegativeDelayWaitsForOneTurn() {
    let recorder = scheduler.record(
      NumberStream.just(1).delaySubscription(for: .seconds(-3), on: scheduler))
    #expect(recorder.events.isEmpty)
    scheduler.advance(by: .zero)
    #expect(recorder.events == [.next(1), .completed])
  }

  @Test func disposalDuringTheDelaySkipsTheSource() {
    let source = NumberStream.unguarded { _ in Issue.record("observed") }
    let recorder = source.delaySubscription(for: .seconds(3), on: scheduler).record()
    recorder.dispose()
    #expect(scheduler.pending == 0)
    scheduler.run()
  }

  @Test func keepsTheContracts() {
    for milliseconds in [0, 2500] {
      expectContracts(.timed) { source, probe in
        source.delaySubscription(for: .milliseconds(milliseconds), on: probe.scheduler)
      }
    }
  }
}
