import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct LastTests {
  @Test func sendsTheLastElementAtCompletion() {
    let numbers = EventStream<Int, Never>.sequence(1...5)
    #expect(numbers.last().record().events == [.next(5), .completed])
    #expect(numbers.last(where: { $0 % 2 == 0 }).record().events == [.next(4), .completed])
  }

  @Test func completesEmptyWithoutAnElement() {
    #expect(NumberStream.completed.last().record().events == [.completed])
    #expect(NumberStream.just(1).last(where: { $0 > 1 }).record().events == [.completed])
  }

  @Test func aFailureDiscardsTheElement() {
    let source = NumberStream.just(1).append(.failed(ContractFailure()))
    #expect(source.last().record().events == [.failed(ContractFailure())])
    #expect(source.last(where: { _ in true }).record().events == [.failed(ContractFailure())])
  }

  @Test func failsWithTheErrorThatTheClosureThrows() {
    let recorder = NumberStream.sequence(1...)
      .last(where: { _ throws(ContractFailure) in throw ContractFailure() })
      .record()
    #expect(recorder.events == [.failed(ContractFailure())])
  }

  @Test func keepsTheContracts() {
    expectContracts(.awaitsEnd) { source, probe in source.last().stream }
    expectContracts(.awaitsEnd) { source, probe in
      source.last(where: {
        probe.touch()
        return $0.value < 4
      }).stream
    }
  }
}
