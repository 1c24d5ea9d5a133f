import RunnelStreams
import RunnelTesting
import Testing

@Suite struct JustTests {
  @Test func sendsTheElementAndCompletes() {
    let stream = EventStream<Int, Never>.just(1)
    #expect(stream.record().events == [.next(1), .completed])
    #expect(stream.record().events == [.next(1), .completed])
  }

  @Test func disposingInsideTheElementSkipsCompletion() {
    let observation = Disposable()
    var events: [StreamEvent<Int, Never>] = []
    EventStream<Int, Never>.just(1).start(
      in: observation,
      next: {
        events.append(.next($0))
        observation.dispose()
      }, end: { events.append(StreamEvent($0)) })
    #expect(events == [.next(1)])
  }
}
