import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct TakeWhileTests {
  @Test func takesElementsUntilTheFirstMismatch() {
    let numbers = EventStream<Int, Never>.sequence([1, 2, 3, 1])
    #expect(numbers.take(while: { $0 < 3 }).record().events == [.next(1), .next(2), .completed])
    #expect(numbers.take(while: { _ in true }).record().elements == [1, 2, 3, 1])
    #expect(numbers.take(while: { _ in false }).record().events == [.completed])
  }

  @Test func takesElementsThroughTheFirstMatch() {
    let numbers = EventStream<Int, Never>.sequence([1, 2, 3, 1])
    #expect(numbers.take(through: { $0 == 2 }).record().events == [.next(1), .next(2), .completed])
    #expect(numbers.take(through: { _ in false }).record().elements == [1, 2, 3, 1])
    #expect(numbers.take(through: { _ in true }).record().events == [.next(1), .completed])
  }

  @Test func passesOnAFailure() {
    let failing = NumberStream.failed(ContractFailure())
    #expect(failing.take(while: { _ in true }).record().events == [.failed(ContractFailure())])
    #expect(failing.take(through: { _ in true }).record().events == [.failed(ContractFailure())])
  }

  @Test func failsWithTheErrorThatTheClosureThrows() {
    func check(_ number: Int) throws(ContractFailure) -> Bool {
      if number == 2 { throw ContractFailure() }
      return number == 1
    }
    let numbers = NumberStream.sequence(1...)
    #expect(
      numbers.take(while: check).record().events == [.next(1), .failed(ContractFailure())])
    #expect(
      NumberStream.sequence(2...).take(through: check).record().events
        == [.failed(ContractFailure())])
  }

  @Test func disposesTheSourceAtItsEnd() {
    let numbers = PushStream<Int>()
    let recorders = [
      numbers.take(while: { $0 < 2 }).record(), numbers.take(through: { $0 == 2 }).record(),
    ]
    numbers.next(1)
    numbers.next(2)
    #expect(!numbers.isObserved)
    #expect(recorders[0].events == [.next(1), .completed])
    #expect(recorders[1].events == [.next(1), .next(2), .completed])
  }

  @Test func doesNotCallTheClosureAfterTheEnd() {
    let numbers = PushStream<Int>()
    var asked: [Int] = []
    let stream = numbers.take(through: { number in
      asked.append(number)
      return number == 2
    })
    stream.observe(next: { numbers.next($0 + 1) }, completed: { numbers.next(9) })
    numbers.next(1)
    #expect(asked == [1, 2])
  }

  @Test func keepsTheContracts() {
    expectContracts { source, probe in
      source.take(while: {
        probe.touch()
        return $0.value < 4
      })
    }
    expectContracts { source, probe in
      source.take(through: {
        probe.touch()
        return $0.value == 4
      })
    }
  }
}
