import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

/// Tests of the guard that `EventStream.init` puts around a producer.
@Suite struct EventStreamTests {
  // MARK: Values

  @Test func sendsTheElementsOfTheProducer() {
    let stream = EventStream<Int, Never> { observer in
      observer.next(1)
      observer.send(.next(2))
      observer.completed()
      return .none
    }
    #expect(stream.record().events == [.next(1), .next(2), .completed])
  }

  @Test func eachObservationRunsTheProducer() {
    var runs = 0
    let stream = EventStream<Int, Never> { observer in
      runs += 1
      observer.next(runs)
      return .none
    }
    #expect(runs == 0)
    #expect(stream.record().events == [.next(1)])
    #expect(stream.record().events == [.next(2)])
  }

  // MARK: Completion and failure

  @Test func aSecondEndIsDropped() {
    let stream = EventStream<Int, ContractFailure> { observer in
      observer.failed(ContractFailure())
      observer.completed()
      observer.failed(ContractFailure())
      return .none
    }
    #expect(stream.record().events == [.failed(ContractFailure())])
  }

  @Test func eventsAfterTheEndAreDropped() {
    var kept: Observer<Int, Never>?
    let stream = EventStream<Int, Never> { observer in
      kept = observer
      observer.completed()
      observer.next(1)
      return .none
    }
    let recorder = stream.record()
    #expect(kept?.isActive == false)
    kept?.next(2)
    kept?.completed()
    #expect(recorder.events == [.completed])
  }

  @Test func eventsSentInsideTheEndAreDropped() {
    var kept: Observer<Int, Never>?
    let stream = EventStream<Int, Never> { observer in
      kept = observer
      return .none
    }
    var events: [StreamEvent<Int, Never>] = []
    stream.observe {
      events.append($0)
      if $0 == .completed { kept?.next(1) }
    }
    kept?.completed()
    #expect(events == [.completed])
  }

  // MARK: Disposal

  @Test func disposesTheTeardownAfterTheEnd() {
    var order: [String] = []
    var kept: Observer<Int, Never>?
    let stream = EventStream<Int, Never> { observer in
      kept = observer
      return Disposable { order.append("torn down") }
    }
    stream.observe(completed: { order.append("completed") })
    kept?.completed()
    kept?.completed()
    #expect(order == ["completed", "torn down"])
  }

  @Test func anEndedProducersTeardownRunsAtOnce() {
    var teardowns = 0
    let stream = EventStream<Int, Never> { observer in
      observer.completed()
      return Disposable { teardowns += 1 }
    }
    stream.observe { _ in }
    #expect(teardowns == 1)
  }

  @Test func disposesOnceOnDisposal() {
    var teardowns = 0
    let stream = EventStream<Int, Never> { _ in Disposable { teardowns += 1 } }
    let observation = stream.observe { _ in }
    #expect(teardowns == 0)
    observation.dispose()
    observation.dispose()
    #expect(teardowns == 1)
  }

  @Test func aLoopingProducerSeesTheDisposal() {
    var sent = 0
    let stream = EventStream<Int, Never> { observer in
      while observer.isActive && sent < 100 {
        sent += 1
        observer.next(sent)
      }
      return .none
    }
    let observation = Disposable()
    stream.start(
      in: observation, next: { if $0 == 3 { observation.dispose() } }, end: { _ in })
    #expect(sent == 3)
  }

  @Test func eventsSentInsideTheTeardownAreDropped() {
    let stream = EventStream<Int, Never> { observer in
      Disposable {
        observer.next(1)
        observer.completed()
      }
    }
    let recorder = stream.record()
    recorder.dispose()
    #expect(recorder.events == [])
  }

  @Test(arguments: [true, false])
  func releasesDownstreamWhileTheObserverIsRetained(completes: Bool) {
    var kept: [Observer<Int, Never>] = []
    let stream = EventStream<Int, Never> { observer in
      kept.append(observer)
      return .none
    }
    var released = 0
    var observation = Disposable.none
    do {
      let first = Captive { released += 1 }
      let second = Captive { released += 1 }
      observation = stream.map {
        first.hold()
        return $0
      }.observeNext { _ in second.hold() }
    }
    kept[0].next(1)
    #expect(released == 0)
    if completes { kept[0].completed() } else { observation.dispose() }
    #expect(released == 2)
    kept[0].next(2)
    #expect(observation.isDisposed)
  }

  @Test func aDisposedObservationStartsNothing() {
    var runs = 0
    let stream = EventStream<Int, Never> { _ in
      runs += 1
      return .none
    }
    let observation = Disposable()
    observation.dispose()
    stream.start(in: observation, next: { _ in }, end: { _ in })
    stream.map { $0 }.start(in: observation, next: { _ in }, end: { _ in })
    #expect(runs == 0)
  }

  @Test func releasesTheProducerWithTheStream() {
    var wasReleased = false
    do {
      let captive = Captive { wasReleased = true }
      let stream = EventStream<Int, Never> { observer in
        captive.hold()
        observer.completed()
        return .none
      }
      stream.observe { _ in }
    }
    #expect(wasReleased)
  }

  // MARK: Reentrancy

  @Test func eventsSentInsideAnEventAreQueued() {
    var kept: Observer<Int, Never>?
    let stream = EventStream<Int, Never> { observer in
      kept = observer
      return .none
    }
    var events: [StreamEvent<Int, Never>] = []
    stream.observe {
      if $0 == .next(1) {
        kept?.next(2)
        kept?.completed()
        kept?.next(3)
      }
      events.append($0)
    }
    kept?.next(1)
    #expect(events == [.next(1), .next(2), .completed])
  }

  @Test func disposingInsideAnEventDropsTheQueue() {
    var kept: Observer<Int, Never>?
    let stream = EventStream<Int, Never> { observer in
      kept = observer
      return .none
    }
    var events: [StreamEvent<Int, Never>] = []
    var observation = Disposable.none
    observation = stream.observe {
      events.append($0)
      kept?.next(2)
      kept?.completed()
      observation.dispose()
    }
    kept?.next(1)
    #expect(events == [.next(1)])
  }
}
