import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct SerializedObserverTests {
  private typealias Event = StreamEvent<Int, ContractFailure>

  /// Returns a serialized observer that calls a closure. Its observation ends at the terminal
  /// event.
  private func makeObserver(
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

  @Test func forwardsEventsInOrder() {
    var events: [Event] = []
    let observer = makeObserver { events.append($0) }
    observer.next(1)
    observer.send(.next(2))
    #expect(observer.isOpen)
    observer.send(.completed)
    #expect(events == [.next(1), .next(2), .completed])
    #expect(!observer.isOpen)
  }

  // MARK: The end

  @Test func nothingFollowsTheEnd() {
    var events: [Event] = []
    let observer = makeObserver { events.append($0) }
    observer.send(.failed(ContractFailure()))
    observer.next(1)
    observer.end(.completed)
    #expect(events == [.failed(ContractFailure())])
  }

  // MARK: Disposal

  @Test func nothingFollowsDisposal() {
    var events: [Event] = []
    let observer = makeObserver { events.append($0) }
    observer.next(1)
    observer.observation.dispose()
    #expect(!observer.isOpen)
    observer.next(2)
    observer.end(.completed)
    #expect(events == [.next(1)])
  }

  @Test func queuedElementsAreReleasedOnDisposal() {
    let observation = Disposable()
    var observer: SerializedObserver<Captive, Never>?
    var released = 0
    observer = SerializedObserver(
      Observer(
        next: { _ in
          guard let sending = observer, sending.isOpen else { return }
          for _ in 0..<3 { sending.next(Captive { released += 1 }) }
          observation.dispose()
        }, end: { _ in }, observation: observation))
    observer?.next(Captive { released += 1 })
    #expect(released == 4)
    observer = nil
  }

  // MARK: Reentrancy

  @Test func eventsSentInsideAnEventAreQueued() {
    var events: [Event] = []
    var observer: SerializedObserver<Int, ContractFailure>?
    var depth = 0
    observer = makeObserver { event in
      #expect(depth == 0)
      depth += 1
      events.append(event)
      if let number = event.element, number < 4 {
        observer?.next(number * 2)
        observer?.next(number * 2 + 1)
      }
      depth -= 1
    }
    observer?.next(1)
    #expect(events == (1...7).map { .next($0) })
    observer = nil
  }

  @Test func anEndSentInsideAnEventFollowsTheQueue() {
    var events: [Event] = []
    var observer: SerializedObserver<Int, ContractFailure>?
    observer = makeObserver { event in
      events.append(event)
      guard event == .next(1) else { return }
      observer?.next(2)
      observer?.end(.completed)
      observer?.next(3)
      #expect(observer?.isOpen == false)
    }
    observer?.next(1)
    #expect(events == [.next(1), .next(2), .completed])
    observer = nil
  }

  @Test func eventsSentInsideTheEndAreDropped() {
    var events: [Event] = []
    var observer: SerializedObserver<Int, ContractFailure>?
    observer = makeObserver { event in
      events.append(event)
      observer?.next(1)
      observer?.end(.failed(ContractFailure()))
    }
    observer?.end(.completed)
    #expect(events == [.completed])
    observer = nil
  }

  @Test func aLongQueueTakesNoStack() {
    var count = 0
    var observer: SerializedObserver<Int, ContractFailure>?
    observer = makeObserver { event in
      count += 1
      if let number = event.element, number < 200_000 { observer?.next(number + 1) }
    }
    observer?.next(1)
    #expect(count == 200_000)
    observer = nil
  }
}
