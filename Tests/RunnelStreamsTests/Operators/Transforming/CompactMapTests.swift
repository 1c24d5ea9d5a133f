import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct CompactMapTests {
  @Test func dropsNilResults() {
    let words = EventStream<String, Never>.sequence(["1", "a", "3"])
    #expect(words.compactMap { Int($0) }.record().events == [.next(1), .next(3), .completed])
  }

  @Test func optionalElementsMayBeNil() {
    let source = EventStream<Int, Never>.sequence([1, 2, 3])
    let recorder = source.compactMap { number -> Int?? in
      switch number {
      case 1: .some(.some(1))
      case 2: .some(.none)
      default: .none
      }
    }.record()
    #expect(recorder.elements == [1, nil])
  }

  @Test func failsWithTheErrorThatTheClosureThrows() {
    let numbers = Subject<Int, ContractFailure>()
    let recorder = numbers.compactMap { number throws(ContractFailure) -> Int? in
      if number == 2 { throw ContractFailure() }
      return number
    }.record()
    numbers.next(1)
    numbers.next(2)
    #expect(recorder.events == [.next(1), .failed(ContractFailure())])
    #expect(!numbers.isObserved)
  }

  @Test func keepsTheContracts() {
    expectContracts { source, probe in
      source.compactMap {
        probe.touch()
        return $0.value % 2 == 0 ? $0.value : nil
      }
    }
  }
}
