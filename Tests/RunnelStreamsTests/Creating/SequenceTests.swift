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

  @Test func eachObservationStartsFromTheBeginning() {
    let stream = EventStream<Int, Never>.sequence(1...2)
    #expect(stream.record().elements == [1, 2])
    #expect(stream.record().elements == [1, 2])
  }

  /// After disposal, the sequence is not asked again: it may be the user's code (C4, C8).
  @Test func anEndlessSequenceStopsOnDisposal() {
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

  @Test func aDisposedObservationReadsNoElement() {
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

  @Test func disposingInTheLastElementSkipsCompletion() {
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
