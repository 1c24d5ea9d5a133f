import RunnelStreams
import RunnelTesting
import Testing

@Suite struct AutoconnectTests {
  // MARK: Values

  @Test func connectsAtTheGivenNumberOfObservers() {
    let source = PushStream<Int>()
    let stream = source.publish().autoconnect(3)
    let first = stream.record()
    let second = stream.record()
    second.dispose()
    source.next(1)
    #expect(!source.isObserved)
    let third = stream.record()
    source.next(2)
    let late = stream.record()
    source.next(3)
    #expect(first.elements == [2, 3])
    #expect(second.elements == [])
    #expect(third.elements == [2, 3])
    #expect(late.elements == [3])
  }

  @Test func theFirstObserverMissesNoSynchronousElement() {
    let stream = EventStream<Int, Never>.sequence(1...3).replay(1).autoconnect()
    #expect(stream.record().events == [.next(1), .next(2), .next(3), .completed])
    #expect(stream.record().events == [.next(3), .completed])
  }

  @Test func fewerThanOneObserverTraps() async {
    await #expect(processExitsWith: .failure) {
      _ = EventStream<Int, Never>.never.publish().autoconnect(0)
    }
  }

  // MARK: Completion

  @Test func aLateObserverGetsTheReplayAndTheEnd() {
    let source = PushStream<Int>()
    let stream = source.replay(1).autoconnect()
    let first = stream.record()
    source.next(1)
    source.next(2)
    source.completed()
    #expect(first.events == [.next(1), .next(2), .completed])
    #expect(stream.record().events == [.next(2), .completed])
  }

  // MARK: Disposal

  @Test func staysConnectedWithoutObservers() {
    let source = PushStream<Int>()
    let stream = source.replay(1).autoconnect()
    stream.record().dispose()
    source.next(1)
    #expect(source.isObserved)
    #expect(stream.record().elements == [1])
  }

  // MARK: Reentrancy

  @Test func anObserverAddedDuringConnectGetsTheReplay() {
    let stream = EventStream<Int, Never>.sequence(1...3).replay(2).autoconnect()
    var inner: Recorder<Int, Never>?
    stream.observeNext { if $0 == 2 { inner = stream.record() } }
    #expect(inner?.events == [.next(1), .next(2), .next(3), .completed])
  }
}
