import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct DistinctTests {
  @Test func dropsEarlierElements() {
    let recorder = EventStream<Int, Never>.sequence([1, 2, 1, 3, 2, 3, 4]).distinct().record()
    #expect(recorder.events == [.next(1), .next(2), .next(3), .next(4), .completed])
  }

  @Test func comparesKeys() {
    let words = EventStream<String, Never>.sequence(["one", "two", "three", "four", "seven"])
    #expect(words.distinct(by: \.count).record().elements == ["one", "three", "four"])
  }

  @Test func eachObservationStartsEmpty() {
    let stream = EventStream<Int, Never>.sequence([1, 1]).distinct()
    #expect(stream.record().elements == [1])
    #expect(stream.record().elements == [1])
  }

  @Test func failsWithTheErrorThatTheClosureThrows() {
    let recorder = NumberStream.sequence([1, 2, 3])
      .distinct(by: { number throws(ContractFailure) in
        if number == 2 { throw ContractFailure() }
        return number
      })
      .record()
    #expect(recorder.events == [.next(1), .failed(ContractFailure())])
  }

  @Test func keepsTheContracts() {
    expectContracts(.accumulates) { source, probe in source.distinct() }
    expectContracts { source, probe in
      source.distinct(by: {
        probe.touch()
        return $0.value % 3
      })
    }
  }
}
