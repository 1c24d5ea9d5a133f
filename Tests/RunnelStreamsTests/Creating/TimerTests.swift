import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct TimerTests {
  let scheduler = TestScheduler()

  @Test func sendsOnceAndCompletes() {
    let timer = EventStream<Void, Never>.timer(after: .seconds(3), on: scheduler)
    let recorder = scheduler.record(timer.map { "now" })
    scheduler.run()
    #expect(recorder.timedEvents == [at(3, .next("now")), at(3, .completed)])
  }

  @Test func aNegativeDelayWaitsForOneTurn() {
    let timer = EventStream<Void, Never>.timer(after: .seconds(-3), on: scheduler)
    let recorder = scheduler.record(timer.map { "now" })
    #expect(recorder.events.isEmpty)
    scheduler.advance(by: .zero)
    #expect(recorder.timedEvents == [at(0, .next("now")), at(0, .completed)])
  }

  @Test func usesTheCurrentScheduler() {
    let timer = EventStream<Void, Never>.timer(after: .seconds(1)).map { "now" }
    let recorder = Current.with(scheduler: scheduler) { scheduler.record(timer) }
    scheduler.run()
    #expect(recorder.timedEvents == [at(1, .next("now")), at(1, .completed)])
  }

  @Test func disposalBeforeTheDeadlineCancels() {
    let recorder = EventStream<Void, Never>.timer(after: .seconds(1), on: scheduler).map { 1 }
      .record()
    recorder.dispose()
    #expect(scheduler.pending == 0)
    scheduler.run()
    #expect(recorder.events.isEmpty)
  }

  @Test func disposalInsideTheElementSkipsCompletion() {
    var observation = Disposable.none
    var events = 0
    observation = EventStream<Void, Never>.timer(after: .seconds(1), on: scheduler).observe { _ in
      events += 1
      observation.dispose()
    }
    scheduler.run()
    #expect(events == 1)
  }

  @Test func keepsTheContracts() {
    expectContracts([.timed, .outlivesSource]) { source, probe in
      source.flatMap { element in
        EventStream<Void, ContractFailure>.timer(after: .seconds(2), on: probe.scheduler)
          .map {
            probe.touch()
            return element
          }
      }
    }
  }
}
