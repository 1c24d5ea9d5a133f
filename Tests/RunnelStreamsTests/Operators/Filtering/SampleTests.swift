import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct SampleTests {
  let numbers = NumberSubject()
  let trigger = PushStream<Void>()

  @Test func sendsTheLatestElementOnceAtEachTrigger() {
    let recorder = numbers.sample(by: trigger).record()
    trigger.next(())
    numbers.next(1)
    numbers.next(2)
    trigger.next(())
    trigger.next(())
    numbers.next(3)
    trigger.next(())
    #expect(recorder.events == [.next(2), .next(3)])
  }

  @Test func observesTheSourceFirst() {
    let recorder = EventStream<Int, Never>.just(1).append(.never).sample(by: Property(0)).record()
    #expect(recorder.events == [.next(1)])
  }

  @Test func completionWaitsForAPendingElement() {
    let recorder = numbers.sample(by: trigger).record()
    numbers.next(1)
    numbers.completed()
    #expect(recorder.events.isEmpty)
    trigger.next(())
    #expect(recorder.events == [.next(1), .completed])
    #expect(!trigger.isObserved)
  }

  @Test func completesAtOnceWithoutAPendingElement() {
    let recorder = numbers.sample(by: trigger).record()
    numbers.next(1)
    trigger.next(())
    numbers.completed()
    #expect(recorder.events == [.next(1), .completed])
    #expect(!trigger.isObserved)
  }

  @Test func triggerEndSendsThePendingElement() {
    let recorder = numbers.sample(by: trigger).record()
    numbers.next(1)
    trigger.completed()
    #expect(recorder.events == [.next(1), .completed])
    #expect(!numbers.isObserved)
  }

  @Test func aFailureDiscardsThePendingElement() {
    let recorder = numbers.sample(by: trigger).record()
    numbers.next(1)
    numbers.failed(ContractFailure())
    #expect(recorder.events == [.failed(ContractFailure())])
    #expect(!trigger.isObserved)
  }

  @Test func disposalReachesBothStreams() {
    let recorder = numbers.sample(by: trigger).record()
    recorder.dispose()
    #expect(!numbers.isObserved && !trigger.isObserved)
  }

  @Test func elementsSampledDuringDeliveryAreQueued() {
    var log: [StreamEvent<Int, ContractFailure>] = []
    var isHandling = false
    numbers.sample(by: trigger).observe { [numbers, trigger] event in
      #expect(!isHandling)
      isHandling = true
      defer { isHandling = false }
      log.append(event)
      guard let number = event.element, number < 3 else { return }
      numbers.next(number + 1)
      trigger.next(())
    }
    numbers.next(1)
    trigger.next(())
    #expect(log == [.next(1), .next(2), .next(3)])
  }

  @Test func eventsSentDuringDeliveryAreKept() {
    var log: [StreamEvent<Int, ContractFailure>] = []
    numbers.sample(by: trigger).observe { [numbers] event in
      log.append(event)
      if event == .next(1) {
        numbers.next(2)
        numbers.completed()
      }
    }
    numbers.next(1)
    trigger.next(())
    #expect(log == [.next(1)])
    trigger.next(())
    #expect(log == [.next(1), .next(2), .completed])
  }

  @Test func theCompletionHandlerMaySend() {
    var log: [StreamEvent<Int, ContractFailure>] = []
    numbers.sample(by: trigger).observe { [numbers, trigger] event in
      log.append(event)
      if event == .completed {
        numbers.next(9)
        trigger.next(())
      }
    }
    numbers.next(1)
    trigger.completed()
    #expect(log == [.next(1), .completed])
    #expect(!numbers.isObserved)
  }

  @Test func aReleasedElementMayTrigger() {
    let source = Subject<Captive, ContractFailure>()
    let recorder = source.sample(by: trigger).record()
    source.next(Captive { [trigger] in trigger.next(()) })
    source.next(Captive {})
    #expect(recorder.elements.count == 1)
    source.next(Captive { [trigger] in trigger.next(()) })
    source.failed(ContractFailure())
    #expect(recorder.elements.count == 1)
    #expect(recorder.failure == ContractFailure())
  }

  // Completion waits for the trigger, so the source is torn down at its own end.
  @Test func keepsTheContracts() {
    expectContracts([.timed, .outlivesSource]) { source, probe in
      source.sample(
        by: EventStream<Int, Never>.interval(.seconds(2), on: probe.scheduler)
          .filter { _ in
            probe.touch()
            return true
          })
    }
    expectContracts([.timed, .outlivesSource]) { source, probe in
      source.sample(by: EventStream<Void, Never>.timer(after: .seconds(2), on: probe.scheduler))
    }
    expectContracts(.outlivesSource) { source, probe in
      source.sample(by: EventStream<Int, Never>.just(1))
    }
  }
}
