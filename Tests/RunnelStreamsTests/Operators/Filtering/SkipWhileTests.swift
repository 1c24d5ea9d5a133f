import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct SkipWhileTests {
  @Test func dropsElementsUntilTheFirstMismatch() {
    let numbers = EventStream<Int, Never>.sequence([1, 2, 3, 1])
    #expect(numbers.skip(while: { $0 < 3 }).record().events == [.next(3), .next(1), .completed])
    #expect(numbers.skip(while: { _ in true }).record().events == [.completed])
    #expect(numbers.skip(while: { _ in false }).record().elements == [1, 2, 3, 1])
  }

  @Test func dropsElementsThroughTheFirstMatch() {
    let numbers = EventStream<Int, Never>.sequence([1, 2, 3, 1])
    #expect(numbers.skip(through: { $0 == 2 }).record().events == [.next(3), .next(1), .completed])
    #expect(numbers.skip(through: { _ in false }).record().events == [.completed])
    #expect(numbers.skip(through: { _ in true }).record().elements == [2, 3, 1])
  }

  @Test func doesNotCallTheClosureOnceItSends() {
    var asked: [Int] = []
    _ = EventStream<Int, Never>.sequence(1...5)
      .skip(while: { number in
        asked.append(number)
        return number < 2
      })
      .skip(through: { number in
        asked.append(10 * number)
        return number == 3
      })
      .record()
    #expect(asked == [1, 2, 20, 30])
  }

  @Test func failsWithTheErrorThatTheClosureThrows() {
    func fail(_: Int) throws(ContractFailure) -> Bool { throw ContractFailure() }
    let numbers = NumberStream.sequence(1...)
    #expect(numbers.skip(while: fail).record().events == [.failed(ContractFailure())])
    #expect(numbers.skip(through: fail).record().events == [.failed(ContractFailure())])
  }

  @Test func keepsTheContracts() {
    expectContracts { source, probe in
      source.skip(while: {
        probe.touch()
        return $0.value < 3
      })
    }
    expectContracts { source, probe in
      source.skip(through: {
        probe.touch()
        return $0.value == 2
      })
    }
  }
}
