import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct DelayTests {
  let scheduler = TestScheduler()

  @Test func sendsEachElementAndCompletionLater() {
    let numbers = scheduler.subject(
      at(1, .next(1)), at(2, .next(2)), at(2, .next(3)), at(7, .next(4)),
      at(8, StreamEvent<Int, ContractFailure>.completed))
    let recorder = scheduler.record(numbers.delay(for: .seconds(4), on: scheduler))
    scheduler.run()
    #expect(
      recorder.timedEvents == [
        at(5, .next(1)), at(6, .next(2)), at(6, .next(3)), at(11, .next(4)), at(12, .completed),
      ])
  }

  @Test func passesOnAFailureAtOnce() {
    let numbers = scheduler.subject(
      at(1, .next(1)), at(4, .next(2)),
      at(6, StreamEvent<Int, ContractFailure>.failed(ContractFailure())))
    let recorder = scheduler.record(numbers.delay(for: .seconds(4), on: scheduler))
    scheduler.run()
    #expect(recorder.timedEvents == [at(5, .next(1)), at(6, .failed(ContractFailure()))])
    #expect(scheduler.pending == 0)
  }

  @Test func aNegativeDelayWaitsForOneTurn() {
    let recorder = scheduler.record(
      NumberStream.sequence(1...2).delay(for: .seconds(-1), on: scheduler))
    #expect(recorder.events.isEmpty)
    scheduler.advance(by: .zero)
    #expect(recorder.events == [.next(1), .next(2), .completed])
  }

  @Test func usesOneTimerForAllElements() {
    let numbers = NumberSubject()
    let recorder = numbers.delay(for: .seconds(1), on: scheduler).record()
    for number in 1...100 { numbers.next(number) }
    #expect(scheduler.pending == 1)
    recorder.dispose()
    #expect(scheduler.pending == 0)
    #expect(!numbers.isObserved)
  }

  @Test func disposalDuringDeliveryStopsIt() {
    let numbers = NumberSubject()
    var log: [Int] = []
    var observation = Disposable.none
    observation = numbers.delay(for: .seconds(1), on: scheduler).observeNext { number in
      log.append(number)
      if number == 2 { observation.dispose() }
    }
    for number in 1...3 { numbers.next(number) }
    scheduler.run()
    #expect(log == [1, 2])
  }

  @Test func elementsSentDuringDeliveryAreDelayed() {
    let numbers = NumberSubject()
    var log: [Timed<StreamEvent<Int, ContractFailure>>] = []
    numbers.delay(for: .seconds(1), on: scheduler).observe { [scheduler] event in
      log.append(Timed(scheduler.now, event))
      guard let number = event.element else { return numbers.next(9) }
      if number == 1 { numbers.next(3) }
      if number == 3 { numbers.completed() }
    }
    numbers.next(1)
    numbers.next(2)
    scheduler.run()
    #expect(
      log == [at(1, .next(1)), at(1, .next(2)), at(2, .next(3)), at(3, .completed)])
  }

  @Test func aFailureDuringDeliveryDropsTheRest() {
    let numbers = NumberSubject()
    var log: [StreamEvent<Int, ContractFailure>] = []
    numbers.delay(for: .seconds(1), on: scheduler).observe { event in
      numbers.failed(ContractFailure())
      log.append(event)
    }
    numbers.next(1)
    numbers.next(2)
    scheduler.run()
    #expect(log == [.next(1), .failed(ContractFailure())])
  }

  @Test func elementsSentAtZeroDelayWaitForOneTurn() {
    let scheduler = TestScheduler()
    let numbers = PushStream<Int>()
    var log: [Int] = []
    numbers.delay(for: .zero, on: scheduler).observeNext { number in
      log.append(number)
      _ = scheduler.schedule(at: scheduler.now) { log.append(-number) }
      if number < 3 { numbers.next(number + 1) }
    }
    numbers.next(1)
    scheduler.advance(by: .zero)
    #expect(log == [1, -1, 2, -2, 3, -3])
  }

  @Test func worksOnAnImmediateScheduler() {
    let recorder = NumberStream.sequence(1...3).delay(for: .seconds(1), on: ImmediateScheduler())
      .record()
    #expect(recorder.events == [.next(1), .next(2), .next(3), .completed])
  }

  @Test func keepsTheContracts() {
    for milliseconds in [0, 1000, 2500] {
      expectContracts([.timed, .outlivesSource]) { source, probe in
        source.delay(for: .milliseconds(milliseconds), on: probe.scheduler)
      }
    }
  }
}
