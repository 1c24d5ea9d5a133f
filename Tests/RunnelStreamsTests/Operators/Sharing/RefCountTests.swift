import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct RefCountTests {
  // MARK: Values

  @Test func firstObserverConnectsAndLastDisconnects() {
    let source = PushStream<Int>()
    let stream = source.publish().refCount()
    #expect(!source.isObserved)
    let first = stream.record()
    let second = stream.record()
    source.next(1)
    first.dispose()
    source.next(2)
    #expect(source.isObserved)
    second.dispose()
    #expect(!source.isObserved)
    #expect(first.elements == [1])
    #expect(second.elements == [1, 2])
    let third = stream.record()
    source.next(3)
    #expect(third.elements == [3])
  }

  @Test func countsOfOneConnectableShareTheConnection() {
    let source = PushStream<Int>()
    let connectable = source.publish()
    let first = connectable.refCount().record()
    let second = connectable.refCount().record()
    first.dispose()
    source.next(1)
    #expect(second.elements == [1])
    second.dispose()
    #expect(!source.isObserved)
  }

  @Test func theLastDisposalEndsAManualConnection() {
    let source = PushStream<Int>()
    let connectable = source.publish()
    let connection = connectable.connect()
    let recorder = connectable.refCount().record()
    source.next(1)
    recorder.dispose()
    #expect(recorder.elements == [1])
    #expect(connection.isDisposed)
  }

  // MARK: Completion and failure

  @Test func reconnectsAfterTheEnd() {
    var runs = 0
    let source = EventStream<Int, ContractFailure>.unguarded { observer in
      runs += 1
      observer.next(runs)
      observer.failed(ContractFailure())
    }
    let stream = source.publish().refCount()
    #expect(stream.record().events == [.next(1), .failed(ContractFailure())])
    #expect(stream.record().events == [.next(2), .failed(ContractFailure())])
  }

  /// An observer of the old connection is disposed after the new connection has one.
  @Test func disposalOnAnOldConnectionKeepsTheNewOne() {
    var ends: [PushStream<Int>] = []
    let source = EventStream<Int, Never>.unguarded { observer in
      ends.append(PushStream())
      ends.last!.start(observer)
    }
    let stream = source.publish().refCount()
    let lingering = Disposable()
    stream.start(Observer(next: { _ in }, end: { _ in }, observation: lingering))
    ends[0].completed()
    let second = stream.record()
    lingering.dispose()
    ends[1].next(1)
    #expect(second.elements == [1])
    #expect(ends.count == 2)
  }

  // MARK: Disposal

  @Test func observersAreReleasedWithTheSource() {
    var source: PushStream<Int>? = PushStream()
    var wasReleased = false
    do {
      let captive = Captive { wasReleased = true }
      source!.replay(1).refCount().observeNext { _ in captive.hold() }
    }
    source!.next(1)
    #expect(!wasReleased)
    source = nil
    #expect(wasReleased)
  }

  @Test func disposalDuringConnectStopsTheSource() {
    var sent = 0
    let source = EventStream<Int, Never>.unguarded { observer in
      while observer.isActive && sent < 100 {
        sent += 1
        observer.next(sent)
      }
      observer.completed()
    }
    let stream = source.publish().refCount()
    for run in 1...3 {
      let observation = Disposable()
      var events: [StreamEvent<Int, Never>] = []
      stream.start(
        in: observation,
        next: {
          events.append(.next($0))
          observation.dispose()
        }, end: { events.append(StreamEvent($0)) })
      #expect(events == [.next(run)])
      #expect(sent == run)
    }
  }

  @Test func aTeardownAddedAfterDisposalRunsAtOnce() {
    var teardowns = 0
    let source = EventStream<Int, Never> { observer in
      observer.next(1)
      return Disposable { teardowns += 1 }
    }
    let observation = Disposable()
    source.publish().refCount().start(
      in: observation, next: { _ in observation.dispose() }, end: { _ in })
    #expect(teardowns == 1)
  }

  // MARK: Reentrancy

  @Test func mayBeObservedInItsSourcesTeardown() {
    var runs = 0
    var again: EventStream<Int, Never>?
    var second: Recorder<Int, Never>?
    let source = EventStream<Int, Never> { observer in
      runs += 1
      let run = runs
      observer.next(run)
      return Disposable { if run == 1 { second = again?.record() } }
    }
    let stream = source.publish().refCount()
    again = stream
    stream.record().dispose()
    #expect(runs == 2)
    #expect(second?.elements == [2])
    again = nil
  }

  @Test func lastObserverMayLeaveAndReturnInsideAnEvent() {
    let source = PushStream<Int>()
    let stream = source.publish().refCount()
    var first = Disposable.none
    var second: Recorder<Int, Never>?
    first = stream.observeNext { _ in
      first.dispose()
      second = stream.record()
    }
    source.next(1)
    source.next(2)
    #expect(second?.elements == [2])
    second?.dispose()
    #expect(!source.isObserved)
  }

  // MARK: Contracts

  @Test func keepsTheContracts() {
    expectContracts(.shared) { source, probe in
      source.map {
        probe.touch()
        return $0
      }.publish().refCount()
    }
  }
}
