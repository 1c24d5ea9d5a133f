import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct DebounceTests {
  let scheduler = TestScheduler()

  @Test func sendsAnElementAfterAQuietSpan() {
    let numbers = scheduler.subject(
      at(1, .next(1)), at(3, .next(2)), at(4, .next(3)),
      at(9, StreamEvent<Int, ContractFailure>.next(4)))
    let recorder = scheduler.record(numbers.debounce(for: .seconds(3), on: scheduler))
    scheduler.run()
    #expect(recorder.timedEvents == [at(7, .next(3)), at(12, .next(4))])
  }

  @Test func completionSendsThePendingElement() {
    let numbers = scheduler.subject(
      at(1, .next(1)), at(2, StreamEvent<Int, ContractFailure>.completed))
    let recorder = scheduler.record(numbers.debounce(for: .seconds(3), on: scheduler))
    scheduler.advance(ticks: 2)
    #expect(recorder.timedEvents == [at(2, .next(1)), at(2, .completed)])
    #expect(scheduler.pending == 0)
  }

  @Test func aFailureDiscardsThePendingElement() {
    let numbers = scheduler.subject(
      at(1, .next(1)), at(2, StreamEvent<Int, ContractFailure>.failed(ContractFailure())))
    let recorder = scheduler.record(numbers.debounce(for: .seconds(3), on: scheduler))
    scheduler.run()
    #expect(recorder.timedEvents == [at(2, .failed(ContractFailure()))])
  }

  @Test func aNegativeDurationCountsAsZero() {
    let numbers = scheduler.subject(at(1, StreamEvent<Int, ContractFailure>.next(1)))
    let recorder = scheduler.record(numbers.debounce(for: .seconds(-3), on: scheduler))
    scheduler.run()
    #expect(recorder.timedEvents == [at(1, .next(1))])
  }

  @Test func usesTheSchedulerCurrentAtObservation() {
    let numbers = PushStream<Int>()
    let stream = numbers.debounce(for: .seconds(1))
    let recorder = Current.with(scheduler: scheduler) { scheduler.record(stream) }
    numbers.next(1)
    scheduler.run()
    #expect(recorder.timedEvents == [at(1, .next(1))])
  }

  @Test func withoutASchedulerItTraps() async {
    await #expect(processExitsWith: .failure) {
      EventStream<Int, Never>.never.debounce(for: .seconds(1)).observeNext { _ in }
    }
  }

  @Test func manyElementsNeedOneTimer() {
    final class Counting: Scheduler {
      let time = TestScheduler()
      var calls = 0
      var now: Duration { time.now }
      func schedule(at deadline: Duration, _ action: @escaping () -> Void) -> Disposable {
        calls += 1
        return time.schedule(at: deadline, action)
      }
    }
    let counting = Counting()
    let numbers = PushStream<Int>()
    let recorder = numbers.debounce(for: .seconds(20), on: counting).record()
    for number in 1...1000 {
      numbers.next(number)
      counting.time.advance(by: .milliseconds(10))
    }
    #expect(counting.calls == 1)
    counting.time.advance(by: .seconds(20))
    #expect(counting.calls == 2)
    #expect(recorder.events == [.next(1000)])
  }

  @Test func theEndCancelsTheTimerUnderFlatMap() {
    let numbers = PushStream<Int>()
    let recorder = numbers.debounce(for: .seconds(1), on: scheduler)
      .flatMap { _ in EventStream<Int, Never>.never }.record()
    numbers.next(1)
    numbers.completed()
    #expect(scheduler.pending == 0)
    #expect(recorder.events.isEmpty)
  }

  @Test func disposalCancelsTheTimer() {
    let numbers = PushStream<Int>()
    let recorder = numbers.debounce(for: .seconds(1), on: scheduler).record()
    numbers.next(1)
    recorder.dispose()
    #expect(scheduler.pending == 0)
    #expect(!numbers.isObserved)
  }

  @Test func elementsSentDuringDeliveryAreDebounced() {
    let numbers = PushStream<Int>()
    var log: [Timed<StreamEvent<Int, Never>>] = []
    numbers.debounce(for: .seconds(1), on: scheduler).observe { [scheduler] event in
      log.append(Timed(scheduler.now, event))
      if event == .next(1) { numbers.next(2) }
      if event == .next(2) { numbers.completed() }
      if event == .completed { numbers.next(9) }
    }
    numbers.next(1)
    scheduler.run()
    #expect(log == [at(1, .next(1)), at(2, .next(2)), at(2, .completed)])
  }

  @Test func completionDuringDeliverySendsThePending() {
    let numbers = PushStream<Int>()
    var log: [StreamEvent<Int, Never>] = []
    numbers.debounce(for: .seconds(1), on: scheduler).observe { event in
      if event == .next(1) {
        numbers.next(2)
        numbers.completed()
      }
      log.append(event)
    }
    numbers.next(1)
    scheduler.run()
    #expect(log == [.next(1), .next(2), .completed])
  }

  @Test func worksOnAnImmediateScheduler() {
    let recorder = EventStream<Int, Never>.sequence(1...3)
      .debounce(for: .seconds(1), on: ImmediateScheduler()).record()
    #expect(recorder.events == [.next(1), .next(2), .next(3), .completed])
  }

  @Test func keepsTheContracts() {
    for milliseconds in [0, 500, 1000, 2500] {
      expectContracts(.timed) { source, probe in
        source.debounce(for: .milliseconds(milliseconds), on: probe.scheduler)
      }
    }
  }
}
