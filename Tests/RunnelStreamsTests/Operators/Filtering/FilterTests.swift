import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct FilterTests {
  @Test func passesMatchingElements() {
    let recorder = EventStream<Int, Never>.sequence(1...5).filter { $0 % 2 == 0 }.record()
    #expect(recorder.events == [.next(2), .next(4), .completed])
  }

  @Test func keepsTheContracts() {
    expectContracts { source, probe in
      source.filter {
        probe.touch()
        return $0.value % 2 == 0
      }
    }
  }
}
