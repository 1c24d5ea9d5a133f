import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct FirstWhereTests {
  @Test func sendsTheFirstMatch() {
    let recorder = EventStream<Int, Never>.sequence(1...).first(where: { $0 % 4 == 0 }).record()
    #expect(recorder.events == [.next(4), .completed])
  }

  @Test func completesEmptyWithoutAMatch() {
    #expect(NumberStream.just(1).first(where: { $0 > 1 }).record().events == [.completed])
  }

  @Test func failsWithTheSourceOrTheClosure() {
    let failing = NumberStream.failed(ContractFailure()).first(where: { _ in true })
    #expect(failing.record().events == [.failed(ContractFailure())])
    let throwing = NumberStream.sequence(1...).first(where: { _ throws(ContractFailure) in
      throw ContractFailure()
    })
    #expect(throwing.record().events == [.failed(ContractFailure())])
  }

  @Test func doesNotCallTheClosureAfterTheEnd() {
    let numbers = PushStream<Int>()
    var asked: [Int] = []
    let stream = numbers.first(where: { number in
      asked.append(number)
      return true
    })
    stream.stream.observe(next: { _ in numbers.next(2) }, completed: { numbers.next(3) })
    numbers.next(1)
    #expect(asked == [1])
    #expect(!numbers.isObserved)
  }

  @Test func keepsTheContracts() {
    expectContracts { source, probe in
      source.first(where: {
        probe.touch()
        return $0.value == 3
      }).stream
    }
  }
}
