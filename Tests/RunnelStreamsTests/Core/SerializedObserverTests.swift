import RunnelStreams
import RunnelTesting
import Testing

@Suite struct SerializedObserverTests {
  private typealias Event = StreamEvent<Int, ContractFailure>

  /// An output to a closure, in an observation of its own that ends as that of `observe` does.
  private func makeOutlet(
    _ handler: @escaping (Event) -> Void
  ) -> SerializedObserver<Int, ContractFailure> {
    let observation = Disposable()
    return SerializedObserver(
      Observer(
        next: { handler(.next($0)) },
        end: {
          handler(StreamEvent($0))
          observation.dispose()
        }, observation: observation))
  }

  // MARK: Values

  @Test func handsOnWhatItIsSent() {
    var events: [Event] = []
    let output = makeOutlet { events.append($0) }
    output.next(1)
    output.send(.next(2))
    #expect(output.isOpen)
    output.send(.completed)
    #expect(events == [.next(1), .next(2), .completed])
    #expect(!output.isOpen)
  }

  // MARK: The end

  @Test func nothingFollowsTheEnd() {
    var events: [Event] = []
    let output = makeOutlet { events.append($0) }
    output.send(.failed(ContractFailure()))
    output.next(1)
    output.end(.completed)
    #expect(events == [.failed(ContractFailure())])
  }

  // MARK: Disposal

  @Test func nothingFollowsDisposal() {
    var events: [Event] = []
    let output = makeOutlet { events.append($0) }
    output.next(1)
    output.observation.dispose()
    #expect(!output.isOpen)
    output.next(2)
    output.end(.completed)
    #expect(events == [.next(1)])
  }

  @Test func whatWaitsIsReleasedOnDisposal() {
    let observation = Disposable()
    var output: SerializedObserver<Captive, Never>?
    var released = 0
    output = SerializedObserver(
      Observer(
        next: { _ in
          guard let sending = output, sending.isOpen else { return }
          for _ in 0..<3 { sending.next(Captive { released += 1 }) }
          observation.dispose()
        }, end: { _ in }, observation: observation))
    output?.next(Captive { released += 1 })
    #expect(released == 4)
    output = nil
  }

  // MARK: Re-entrancy

  @Test func whatIsSentFromWithinAnEventWaitsItsTurn() {
    var events: [Event] = []
    var output: SerializedObserver<Int, ContractFailure>?
    var depth = 0
    output = makeOutlet { event in
      #expect(depth == 0)
      depth += 1
      events.append(event)
      if let number = event.element, number < 4 {
        output?.next(number * 2)
        output?.next(number * 2 + 1)
      }
      depth -= 1
    }
    output?.next(1)
    #expect(events == (1...7).map { .next($0) })
    output = nil
  }

  @Test func anEndFromWithinAnEventComesAfterWhatWaits() {
    var events: [Event] = []
    var output: SerializedObserver<Int, ContractFailure>?
    output = makeOutlet { event in
      events.append(event)
      guard event == .next(1) else { return }
      output?.next(2)
      output?.end(.completed)
      output?.next(3)
      #expect(output?.isOpen == false)
    }
    output?.next(1)
    #expect(events == [.next(1), .next(2), .completed])
    output = nil
  }

  @Test func whatIsSentFromWithinTheEndIsDropped() {
    var events: [Event] = []
    var output: SerializedObserver<Int, ContractFailure>?
    output = makeOutlet { event in
      events.append(event)
      output?.next(1)
      output?.end(.failed(ContractFailure()))
    }
    output?.end(.completed)
    #expect(events == [.completed])
    output = nil
  }

  @Test func manyThatWaitTakeNoStack() {
    var count = 0
    var output: SerializedObserver<Int, ContractFailure>?
    output = makeOutlet { event in
      count += 1
      if let number = event.element, number < 200_000 { output?.next(number + 1) }
    }
    output?.next(1)
    #expect(count == 200_000)
    output = nil
  }
}
