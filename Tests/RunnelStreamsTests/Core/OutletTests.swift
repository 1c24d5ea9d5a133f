import RunnelStreams
import RunnelTesting
import Testing

@Suite struct OutletTests {
  private typealias Event = StreamEvent<Int, ContractFailure>

  /// An outlet to a closure, in an observation of its own that ends as that of `observe` does.
  private func makeOutlet(
    _ handler: @escaping (Event) -> Void
  ) -> Outlet<Int, ContractFailure> {
    let observation = Disposable()
    return Outlet(
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
    let outlet = makeOutlet { events.append($0) }
    outlet.next(1)
    outlet.send(.next(2))
    #expect(outlet.isOpen)
    outlet.send(.completed)
    #expect(events == [.next(1), .next(2), .completed])
    #expect(!outlet.isOpen)
  }

  // MARK: The end

  @Test func nothingFollowsTheEnd() {
    var events: [Event] = []
    let outlet = makeOutlet { events.append($0) }
    outlet.send(.failed(ContractFailure()))
    outlet.next(1)
    outlet.end(.completed)
    #expect(events == [.failed(ContractFailure())])
  }

  // MARK: Disposal

  @Test func nothingFollowsDisposal() {
    var events: [Event] = []
    let outlet = makeOutlet { events.append($0) }
    outlet.next(1)
    outlet.observation.dispose()
    #expect(!outlet.isOpen)
    outlet.next(2)
    outlet.end(.completed)
    #expect(events == [.next(1)])
  }

  @Test func whatWaitsIsReleasedOnDisposal() {
    let observation = Disposable()
    var outlet: Outlet<Captive, Never>?
    var released = 0
    outlet = Outlet(
      Observer(
        next: { _ in
          guard let sending = outlet, sending.isOpen else { return }
          for _ in 0..<3 { sending.next(Captive { released += 1 }) }
          observation.dispose()
        }, end: { _ in }, observation: observation))
    outlet?.next(Captive { released += 1 })
    #expect(released == 4)
    outlet = nil
  }

  // MARK: Re-entrancy

  @Test func whatIsSentFromWithinAnEventWaitsItsTurn() {
    var events: [Event] = []
    var outlet: Outlet<Int, ContractFailure>?
    var depth = 0
    outlet = makeOutlet { event in
      #expect(depth == 0)
      depth += 1
      events.append(event)
      if let number = event.element, number < 4 {
        outlet?.next(number * 2)
        outlet?.next(number * 2 + 1)
      }
      depth -= 1
    }
    outlet?.next(1)
    #expect(events == (1...7).map { .next($0) })
    outlet = nil
  }

  @Test func anEndFromWithinAnEventComesAfterWhatWaits() {
    var events: [Event] = []
    var outlet: Outlet<Int, ContractFailure>?
    outlet = makeOutlet { event in
      events.append(event)
      guard event == .next(1) else { return }
      outlet?.next(2)
      outlet?.end(.completed)
      outlet?.next(3)
      #expect(outlet?.isOpen == false)
    }
    outlet?.next(1)
    #expect(events == [.next(1), .next(2), .completed])
    outlet = nil
  }

  @Test func whatIsSentFromWithinTheEndIsDropped() {
    var events: [Event] = []
    var outlet: Outlet<Int, ContractFailure>?
    outlet = makeOutlet { event in
      events.append(event)
      outlet?.next(1)
      outlet?.end(.failed(ContractFailure()))
    }
    outlet?.end(.completed)
    #expect(events == [.completed])
    outlet = nil
  }

  @Test func manyThatWaitTakeNoStack() {
    var count = 0
    var outlet: Outlet<Int, ContractFailure>?
    outlet = makeOutlet { event in
      count += 1
      if let number = event.element, number < 200_000 { outlet?.next(number + 1) }
    }
    outlet?.next(1)
    #expect(count == 200_000)
    outlet = nil
  }
}
