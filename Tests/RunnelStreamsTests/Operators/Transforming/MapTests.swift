import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct MapTests {
  @Test func transformsEachElement() {
    let recorder = EventStream<Int, Never>.sequence([1, 2, 3]).map { $0 * 10 }.record()
    #expect(recorder.events == [.next(10), .next(20), .next(30), .completed])
  }

  @Test func failsWithTheErrorThatTheClosureThrows() {
    let numbers = PushStream<Int>()
    let recorder = numbers.failing(with: ContractFailure.self)
      .map { number throws(ContractFailure) in
        if number == 2 { throw ContractFailure() }
        return number
      }
      .record()
    numbers.next(1)
    numbers.next(2)
    numbers.next(3)
    #expect(recorder.events == [.next(1), .failed(ContractFailure())])
    #expect(!numbers.isObserved)
  }

  @Test func keepsTheContracts() {
    expectContracts { source, probe in
      source.map {
        probe.touch()
        return $0.value
      }
    }
  }
}
