import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct ThrottleTests {
  let scheduler = TestScheduler()

  @Test func sendsTheFirstAndTheLatestElement() {
    let numbers = scheduler.subject(
      at(1, .next(1)), at(2, .next(2)), at(3, .next(3)), at(7, .next(4)),
      at(20, StreamEvent<Int, ContractFailure>.next(5)))
    let recorder = scheduler.record(numbers.throttle(for: .seconds(5), on: scheduler))
    scheduler.run()
    #expect(
      recorder.timedEvents
        == [at(1, .next(1)), at(6, .next(3)), at(11, .next(4)), at(20, .next(5))])
  }

  @Test func sendsOnlyTheFirstElement() {
    let numbers = scheduler.subject(
      at(1, .next(1)), at(2, .next(2)), at(5, .next(3)), at(6, .next(4)),
      at(7, StreamEvent<Int, ContractFailure>.next(5)))
    let recorder = scheduler.record(
      numbers.throttle(for: .seconds(5), latest: false, on: scheduler))
    scheduler.run()
    #expect(recorder.timedEvents == [at(1, .next(1)), at(6, .next(4))])
  }

  @Test func completionWaitsForTheLatestElement() {
    let numbers = scheduler.subject(
      at(1, .next(1)), at(2, .next(2)), at(3, StreamEvent<Int, ContractFailure>.completed))
    let recorder = scheduler.record(numbers.throttle(for: .seconds(5), on: scheduler))
    scheduler.run()
    #expect(recorder.timedEvents == [at(1, .next(1)), at(6, .next(2)), at(6, .completed)])
  }

  @Test func completesAtOnceWithoutAPendingElement() {
    for latest in [true, false] {
      let numbers = NumberSubject()
      let recorder = numbers.throttle(for: .seconds(5), latest: latest, on: scheduler).record()
      numbers.next(1)
      if !latest { numbers.next(2) }
      numbers.completed()
      #expect(recorder.events == [.next(1), .completed])
      #expect(scheduler.pending == 0)
    }
  }

  @Test func aFailureDiscardsThePendingElement() {
    let numbers = NumberSubject()
    let recorder = numbers.throttle(for: .seconds(5), on: scheduler).record()
    numbers.next(1)
    numbers.next(2)
    numbers.failed(ContractFailure())
    #expect(recorder.events == [.next(1), .failed(ContractFailure())])
    #expect(scheduler.pending == 0)
  }

  @Test func aNegativeSpanPassesAllElements() {
    for latest in [true, false] {
      let recorder = NumberStream.sequence(1...3)
        .throttle(for: .seconds(-1), latest: latest, on: scheduler).record()
      #expect(recorder.events == [.next(1), .next(2), .next(3), .completed])
    }
  }

  @Test func disposalCancelsTheTimer() {
    let numbers = NumberSubject()
    let recorder = numbers.throttle(for: .seconds(5), on: scheduler).record()
    numbers.next(1)
    #expect(scheduler.pending == 0)
    numbers.next(2)
    #expect(scheduler.pending == 1)
    recorder.dispose()
    #expect(scheduler.pending == 0)
    #expect(!numbers.isObserved)
  }

  @Test func elementsSentDuringDeliveryAreThrottled() {
    let numbers = NumberSubject()
    var log: [Timed<StreamEvent<Int, ContractFailure>>] = []
    numbers.throttle(for: .seconds(5), on: scheduler).observe { [scheduler] event in
      log.append(Timed(scheduler.now, event))
      guard let number = event.element else { return numbers.next(9) }
      numbers.next(number + 1)
      if number == 2 { numbers.completed() }
    }
    numbers.next(1)
    scheduler.run()
    #expect(
      log == [at(0, .next(1)), at(5, .next(2)), at(10, .next(3)), at(10, .completed)])
  }

  @Test func keepsTheContracts() {
    for latest in [true, false] {
      for milliseconds in [0, 1000, 2500, 20_000] {
        expectContracts([.timed, .outlivesSource]) { source, probe in
          source.throttle(for: .milliseconds(milliseconds), latest: latest, on: probe.scheduler)
        }
      }
    }
  }
}
