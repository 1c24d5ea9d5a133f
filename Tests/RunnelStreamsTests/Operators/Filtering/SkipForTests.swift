import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct SkipForTests {
  @Test func dropsElementsWithinTheTime() {
    let scheduler = TestScheduler()
    let numbers = scheduler.subject(
      at(1, .next(1)), at(2, .next(2)), at(4, .next(3)),
      at(5, StreamEvent<Int, ContractFailure>.completed))
    let recorder = scheduler.record(numbers.skip(for: .seconds(3), on: scheduler))
    scheduler.run()
    #expect(recorder.timedEvents == [at(4, .next(3)), at(5, .completed)])
  }

  @Test func passesOnTheEndAtOnce() {
    for end in [StreamEvent<Int, ContractFailure>.completed, .failed(ContractFailure())] {
      let scheduler = TestScheduler()
      let numbers = NumberSubject()
      let recorder = numbers.skip(for: .seconds(3), on: scheduler).record()
      numbers.next(1)
      numbers.send(end)
      #expect(recorder.events == [end])
      #expect(scheduler.pending == 0)
    }
  }

  @Test func theEndCancelsTheTimerUnderADelay() {
    let scheduler = TestScheduler()
    let recorder = NumberStream.completed.skip(for: .seconds(3), on: scheduler)
      .delay(for: .seconds(1), on: scheduler).record()
    #expect(scheduler.pending == 1)
    #expect(recorder.events.isEmpty)
  }

  @Test func zeroTimeDropsNothing() {
    let numbers = EventStream<Int, Never>.just(1)
    #expect(numbers.skip(for: .zero).record().elements == [1])
    #expect(numbers.skip(for: .seconds(-1)).record().elements == [1])
  }

  @Test func complementsTakeFor() {
    let scheduler = TestScheduler()
    let numbers = EventStream<Int, Never>.interval(.seconds(1), on: scheduler)
    let taken = numbers.take(for: .seconds(3), on: scheduler).record()
    let skipped = numbers.take(6).skip(for: .seconds(3), on: scheduler).record()
    scheduler.run()
    #expect(taken.elements + skipped.elements == [0, 1, 2, 3, 4, 5])
  }

  @Test func keepsTheContracts() {
    for seconds in [0, 3, 50] {
      expectContracts(.timed) { source, probe in
        source.skip(for: .seconds(seconds), on: probe.scheduler)
      }
    }
  }
}
