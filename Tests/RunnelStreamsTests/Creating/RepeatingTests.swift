import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct RepeatingTests {
  @Test func sendsTheElementCountTimes() {
    #expect(
      EventStream<Int, Never>.repeating(7, count: 3).record().events
        == [.next(7), .next(7), .next(7), .completed])
    #expect(EventStream<Int, Never>.repeating(7, count: 0).record().events == [.completed])
  }

  @Test func endlessRepetitionStopsOnDisposal() {
    let observation = Disposable()
    var count = 0
    EventStream<Int, Never>.repeating(7).start(
      in: observation,
      next: { _ in
        count += 1
        if count == 1000 { observation.dispose() }
      }, end: { _ in })
    #expect(count == 1000)
  }

  @Test func trapsOnANegativeCount() async {
    await #expect(processExitsWith: .failure) {
      _ = EventStream<Int, Never>.repeating(7, count: -1)
    }
  }

  @Test func keepsTheContracts() {
    expectContracts { source, probe in
      source.flatMap { element in
        probe.touch()
        return .repeating(element, count: 2)
      }
    }
  }
}
