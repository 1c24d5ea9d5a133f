import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct TakeUntilTests {
  @Test func takesUntilTheTriggerSends() {
    let numbers = PushStream<Int>()
    let trigger = PushStream<String>()
    let recorder = numbers.take(until: trigger).record()
    numbers.next(1)
    numbers.next(2)
    trigger.next("now")
    numbers.next(3)
    #expect(recorder.events == [.next(1), .next(2), .completed])
    #expect(!numbers.isObserved)
    #expect(!trigger.isObserved)
  }

  @Test func observesTheTriggerFirst() {
    let source = EventStream<Int, Never>.unguarded { _ in Issue.record("observed") }
    #expect(source.take(until: Property(0)).record().events == [.completed])
  }

  @Test func endsBeforeTheElementOfTheSameSubject() {
    let numbers = PushStream<Int>()
    let recorder = numbers.take(until: numbers.filter { $0 == 2 }).record()
    numbers.next(1)
    numbers.next(2)
    #expect(recorder.events == [.next(1), .completed])
  }

  @Test func ignoresTheCompletionOfTheTrigger() {
    let numbers = PushStream<Int>()
    let recorder = numbers.take(until: EventStream<Void, Never>.completed).record()
    numbers.next(1)
    numbers.completed()
    #expect(recorder.events == [.next(1), .completed])
  }

  @Test func theEndOfTheSourceDisposesTheTrigger() {
    let trigger = PushStream<Void>()
    let numbers = NumberSubject()
    // The stream continues downstream of `flatMap`; the trigger's observation must still end.
    let recorder = numbers.take(until: trigger).flatMap { _ in NumberStream.never }.record()
    numbers.next(1)
    numbers.completed()
    #expect(!trigger.isObserved)
    #expect(recorder.events.isEmpty)
    let failing = NumberSubject()
    let failed = failing.take(until: trigger).record()
    failing.failed(ContractFailure())
    #expect(failed.events == [.failed(ContractFailure())])
    #expect(!trigger.isObserved)
  }

  @Test func theTriggerDisposesTheSource() {
    let trigger = PushStream<Void>()
    let numbers = NumberSubject()
    let recorder = numbers.take(until: trigger).flatMap { _ in NumberStream.never }.record()
    numbers.next(1)
    trigger.next(())
    #expect(!numbers.isObserved)
    #expect(recorder.events.isEmpty)
  }

  @Test func disposalReachesBothStreams() {
    let trigger = PushStream<Void>()
    let numbers = PushStream<Int>()
    let recorder = numbers.take(until: trigger).record()
    recorder.dispose()
    #expect(!numbers.isObserved && !trigger.isObserved)
  }

  @Test func aTriggerSentDuringDeliveryFollowsTheElement() {
    let trigger = PushStream<Void>()
    let numbers = PushStream<Int>()
    var mapped: [Int] = []
    var log: [StreamEvent<Int, Never>] = []
    let source = numbers.map { number in
      mapped.append(number)
      return number
    }
    source.take(until: trigger).observe { event in
      trigger.next(())
      numbers.next(9)
      log.append(event)
    }
    numbers.next(1)
    #expect(log == [.next(1), .completed])
    #expect(mapped == [1])
    #expect(!numbers.isObserved && !trigger.isObserved)
  }

  @Test func eventsSentInTheCompletionHandlerAreDropped() {
    let trigger = PushStream<Void>()
    let numbers = PushStream<Int>()
    var mapped: [Int] = []
    var log: [StreamEvent<Int, Never>] = []
    let source = numbers.map { number in
      mapped.append(number)
      return number
    }
    source.take(until: trigger).observe { event in
      log.append(event)
      numbers.next(9)
      trigger.next(())
    }
    trigger.next(())
    #expect(log == [.completed])
    #expect(mapped.isEmpty)
  }

  @Test func keepsTheContracts() {
    expectContracts { source, probe in source.take(until: EventStream<Int, Never>.never) }
    expectContracts { source, probe in source.take(until: EventStream<Int, Never>.just(1)) }
    expectContracts(.timed) { source, probe in
      source.take(
        until: EventStream<Void, Never>.timer(after: .seconds(3), on: probe.scheduler)
          .map { probe.touch() })
    }
  }
}
