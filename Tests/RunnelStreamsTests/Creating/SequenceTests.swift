import RunnelStreams
import RunnelTesting
import Testing

@Suite struct SequenceTests {
  @Test func sendsTheElementsAndCompletes() {
    #expect(
      EventStream<Int, Never>.sequence([1, 2, 3]).record().events
        == [.next(1), .next(2), .next(3), .completed])
    #expect(EventStream<Int, Never>.sequence([]).record().events == [.completed])
  }

  @Test func eachObservationBeginsAnew() {
    let stream = EventStream<Int, Never>.sequence(1...2)
    #expect(stream.record().elements == [1, 2])
    #expect(stream.record().elements == [1, 2])
  }

  /// After disposal the sequence, which may be code of the user's, is not asked again (C4, C8).
  @Test func stopsBetweenTwoElementsOfAnEndlessSequence() {
    var asked = 0
    let endless = sequence(state: 0) { (state: inout Int) -> Int? in
      asked += 1
      state += 1
      return state
    }
    let observation = Disposable()
    var events: [StreamEvent<Int, Never>] = []
    EventStream<Int, Never>.sequence(endless).start(
      in: observation,
      next: {
        events.append(.next($0))
        if $0 == 3 { observation.dispose() }
      }, end: { events.append(StreamEvent($0)) })
    #expect(events == [.next(1), .next(2), .next(3)])
    #expect(asked == 3)
  }

  @Test func isNotAskedForAnObservationThatIsOver() {
    var asked = 0
    let elements = AnyIterator {
      asked += 1
      return asked
    }
    let observation = Disposable()
    observation.dispose()
    EventStream<Int, Never>.sequence(elements).start(
      in: observation, next: { _ in }, end: { _ in })
    #expect(asked == 0)
  }

  @Test func disposedWithTheLastElementItDoesNotComplete() {
    let observation = Disposable()
    var events: [StreamEvent<Int, Never>] = []
    EventStream<Int, Never>.sequence([1]).start(
      in: observation,
      next: {
        events.append(.next($0))
        observation.dispose()
      }, end: { events.append(StreamEvent($0)) })
    #expect(events == [.next(1)])
  }
}
