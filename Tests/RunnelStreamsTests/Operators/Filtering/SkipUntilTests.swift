import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct SkipUntilTests {
  @Test func dropsUntilTheTriggerSends() {
    let numbers = PushStream<Int>()
    let trigger = PushStream<String>()
    let recorder = numbers.skip(until: trigger).record()
    numbers.next(1)
    trigger.next("now")
    #expect(!trigger.isObserved)
    numbers.next(2)
    numbers.completed()
    #expect(recorder.events == [.next(2), .completed])
  }

  @Test func observesTheTriggerFirst() {
    let recorder = EventStream<Int, Never>.just(1).skip(until: Property(0)).record()
    #expect(recorder.events == [.next(1), .completed])
  }

  @Test func ignoresTheCompletionOfTheTrigger() {
    let recorder = EventStream<Int, Never>.just(1).skip(until: EventStream<Int, Never>.completed)
      .record()
    #expect(recorder.events == [.completed])
  }

  @Test func theEndOfTheSourceDisposesTheTrigger() {
    let trigger = PushStream<Void>()
    let failed = NumberStream.failed(ContractFailure()).skip(until: trigger).record()
    #expect(failed.events == [.failed(ContractFailure())])
    #expect(!trigger.isObserved)
    let delayed = NumberStream.completed.skip(until: trigger)
      .delay(for: .seconds(1), on: TestScheduler()).record()
    #expect(delayed.events.isEmpty)
    #expect(!trigger.isObserved)
  }

  @Test func disposalReachesBothStreams() {
    let trigger = PushStream<Void>()
    let numbers = PushStream<Int>()
    let recorder = numbers.skip(until: trigger).record()
    recorder.dispose()
    #expect(!numbers.isObserved && !trigger.isObserved)
  }

  @Test func theCompletionHandlerMaySend() {
    let trigger = PushStream<Void>()
    let numbers = PushStream<Int>()
    var log: [StreamEvent<Int, Never>] = []
    numbers.skip(until: trigger).observe { event in
      log.append(event)
      trigger.next(())
      numbers.next(9)
    }
    numbers.completed()
    #expect(log == [.completed])
    #expect(!trigger.isObserved)
  }

  @Test func aTriggerThatDisposesSkipsTheSource() {
    var starts = 0
    let source = EventStream<Int, Never>.deferred {
      starts += 1
      return .never
    }
    let observation = Disposable()
    source.skip(until: EventStream<Int, Never>.just(1).do(next: { _ in observation.dispose() }))
      .start(in: observation, next: { _ in }, end: { _ in })
    #expect(starts == 0)
  }

  @Test func keepsTheContracts() {
    expectContracts { source, probe in source.skip(until: EventStream<Int, Never>.never) }
    expectContracts { source, probe in source.skip(until: EventStream<Int, Never>.just(1)) }
    expectContracts(.timed) { source, probe in
      source.skip(
        until: EventStream<Void, Never>.timer(after: .seconds(3), on: probe.scheduler)
          .map { probe.touch() })
    }
  }
}
