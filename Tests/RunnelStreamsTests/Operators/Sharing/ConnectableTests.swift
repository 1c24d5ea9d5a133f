import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct ConnectableTests {
  // MARK: Values

  @Test func observesTheSourceOnceWhenConnected() {
    let source = PushStream<Int>()
    let connectable = source.publish()
    let first = connectable.record()
    let second = connectable.record()
    source.next(1)
    #expect(!source.isObserved)
    connectable.connect()
    source.next(2)
    let late = connectable.record()
    source.next(3)
    #expect(first.elements == [2, 3])
    #expect(second.elements == [2, 3])
    #expect(late.elements == [3])
  }

  @Test func observersMissNoSynchronousElement() {
    var runs = 0
    let connectable = numbers(3) { runs += 1 }.publish()
    let first = connectable.record()
    let second = connectable.record()
    #expect(connectable.connect().isDisposed)
    #expect(first.events == [.next(1), .next(2), .next(3), .completed])
    #expect(second.events == first.events)
    #expect(runs == 1)
  }

  @Test func aSecondConnectReturnsTheConnection() {
    let source = PushStream<Int>()
    let connectable = source.publish()
    let recorder = connectable.record()
    let connection = connectable.connect()
    #expect(connectable.connect() === connection)
    source.next(1)
    #expect(recorder.elements == [1])
  }

  @Test func replaySendsTheLastElementsToALateObserver() {
    let source = PushStream<Int>()
    let connectable = source.replay(2)
    connectable.connect()
    for number in 1...3 { source.next(number) }
    let late = connectable.record()
    source.next(4)
    #expect(late.elements == [2, 3, 4])
  }

  @Test func replayOfZeroPublishes() {
    let source = PushStream<Int>()
    let connectable = source.replay(0)
    connectable.connect()
    source.next(1)
    #expect(connectable.record().elements == [])
  }

  @Test func aNegativeReplayTraps() async {
    await #expect(processExitsWith: .failure) {
      _ = EventStream<Int, Never>.just(1).replay(-1)
    }
  }

  @Test func multicastCreatesASubjectPerConnection() {
    let source = PushStream<Int>()
    var subjects: [PushStream<Int>] = []
    let connectable = source.multicast {
      subjects.append(PushStream())
      return subjects.last!
    }
    let first = connectable.record()
    connectable.connect().dispose()
    let second = connectable.record()
    connectable.connect()
    source.next(1)
    #expect(subjects.count == 2)
    #expect(first.events == [])
    #expect(second.events == [.next(1)])
  }

  @Test func observersOfASharedSubjectSurviveReconnection() {
    let source = PushStream<Int>()
    let subject = PushStream<Int>()
    let connectable = source.multicast { subject }
    let recorder = connectable.record()
    connectable.connect().dispose()
    source.next(1)
    connectable.connect()
    source.next(2)
    #expect(recorder.elements == [2])
    source.completed()
    #expect(recorder.isCompleted)
  }

  @Test func anEndedSubjectIsNotConnected() {
    let source = PushStream<Int>()
    let subject = PushStream<Int>()
    subject.completed()
    let connectable = source.multicast { subject }
    #expect(connectable.connect().isDisposed)
    #expect(!source.isObserved)
    #expect(connectable.record().events == [.completed])
  }

  // MARK: Completion and failure

  @Test func anObserverAfterTheEndWaitsForReconnection() {
    var runs = 0
    let connectable = numbers(2) { runs += 1 }.replay(1)
    let first = connectable.record()
    connectable.connect()
    let second = connectable.record()
    #expect(second.events == [])
    connectable.connect()
    #expect(first.events == [.next(1), .next(2), .completed])
    #expect(second.events == first.events)
    #expect(runs == 2)
  }

  @Test func anObserverInsideTheEndWaitsForReconnection() {
    let source = Subject<Int, ContractFailure>()
    let connectable = source.replay(1)
    var second: Recorder<Int, ContractFailure>?
    connectable.observe(failed: { _ in second = connectable.record() })
    let connection = connectable.connect()
    source.next(1)
    source.failed(ContractFailure())
    #expect(second?.events == [])
    #expect(connection.isDisposed)
    connectable.connect()
    #expect(second?.events == [.failed(ContractFailure())])
  }

  @Test func anUnobservedFailureGoesToTheHook() async {
    await #expect(processExitsWith: .success) {
      let reported = ReportedLines()
      Hooks.unhandledFailure = { reported.lines.append($0.location.line) }
      let source = EventStream<Int, ContractFailure>.failed(ContractFailure())
      source.publish().connect(line: 100)
      source.replay(1).connect(line: 101)
      let (deserted, observed) = (source.publish(), source.publish())
      deserted.observe { _ in }.dispose()
      deserted.connect(line: 102)
      observed.observe { _ in }
      observed.connect(line: 103)
      precondition(reported.lines == [100, 101, 102])
    }
  }

  // Safety: only one thread writes and reads the object.
  private final class ReportedLines: @unchecked Sendable {
    var lines: [UInt] = []
  }

  // MARK: Disposal

  @Test func disposingTheConnectionDisposesTheSource() {
    let source = PushStream<Int>()
    let connectable = source.publish()
    let recorder = connectable.record()
    let connection = connectable.connect()
    source.next(1)
    connection.dispose()
    source.next(2)
    #expect(!source.isObserved)
    #expect(recorder.events == [.next(1)])
  }

  @Test func disposingTheConnectionReleasesTheReplay() {
    let source = PushStream<Captive>()
    let connectable = source.replay(1)
    let connection = connectable.connect()
    var wasReleased = false
    source.next(Captive { wasReleased = true })
    #expect(!wasReleased)
    connection.dispose()
    #expect(wasReleased)
  }

  @Test func theConnectionOutlivesTheConnectable() {
    let source = PushStream<Int>()
    var connectable: Connectable? = source.publish()
    weak let released = connectable
    let recorder = connectable!.record()
    let connection = connectable!.connect()
    connectable = nil
    #expect(released == nil)
    source.next(1)
    connection.dispose()
    #expect(recorder.elements == [1])
    #expect(!source.isObserved)
  }

  // MARK: Reentrancy

  @Test func mayBeDisposedAndConnectedInsideAnEvent() {
    let source = PushStream<Int>()
    let connectable = source.publish()
    var connection = Disposable.none
    var second: Recorder<Int, Never>?
    connectable.observeNext { _ in
      connection.dispose()
      second = connectable.record()
      connection = connectable.connect()
    }
    connection = connectable.connect()
    source.next(1)
    source.next(2)
    #expect(second?.elements == [2])
    connection.dispose()
    #expect(!source.isObserved)
  }

  @Test func allObserversSeeReentrantEventsInOneOrder() {
    let source = PushStream<Int>()
    let connectable = source.publish()
    connectable.observeNext { if $0 == 1 { source.next(2) } }
    let second = connectable.record()
    connectable.connect()
    source.next(1)
    #expect(second.elements == [1, 2])
  }
}

/// Returns a synchronous source of the numbers from 1 to `last`. Calls `onStart` when observed.
private func numbers(_ last: Int, _ onStart: @escaping () -> Void) -> EventStream<Int, Never> {
  .unguarded { observer in
    onStart()
    EventStream.sequence(1...last).start(observer)
  }
}
