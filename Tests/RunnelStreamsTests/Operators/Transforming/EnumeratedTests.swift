import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct EnumeratedTests {
  @Test func numbersFromZeroInEachObservation() {
    let letters = EventStream<String, Never>.sequence(["a", "b", "c"]).enumerated()
      .map { "\($0.offset)\($0.element)" }
    #expect(letters.record().events == [.next("0a"), .next("1b"), .next("2c"), .completed])
    #expect(letters.record().elements == ["0a", "1b", "2c"])
  }

  @Test func anElementMayCauseTheNext() {
    let letters = PushStream<String>()
    var log: [String] = []
    letters.enumerated().observeNext { offset, letter in
      log.append("\(offset)\(letter)")
      if offset == 0 { letters.next("b") }
    }
    letters.next("a")
    letters.next("c")
    #expect(log == ["0a", "1b", "2c"])
  }

  @Test func keepsTheContracts() {
    expectContracts { source, _ in source.enumerated() }
  }
}
