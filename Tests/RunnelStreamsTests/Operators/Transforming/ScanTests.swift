import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct ScanTests {
  @Test func sendsTheResultAfterEachElement() {
    let numbers = EventStream<Int, Never>.sequence(1...4)
    #expect(
      numbers.scan(0, +).record().events
        == [.next(1), .next(3), .next(6), .next(10), .completed])
    #expect(
      numbers.scan(into: []) { $0.append($1) }.record().elements
        == [[1], [1, 2], [1, 2, 3], [1, 2, 3, 4]])
  }

  @Test func doesNotSendItsInitialResult() {
    #expect(EventStream<Int, Never>.completed.scan(7, +).record().events == [.completed])
    #expect(
      EventStream<Int, Never>.completed.scan(into: 7) { $0 += $1 }.record().events == [.completed])
  }

  @Test func eachObservationStartsFromTheInitialResult() {
    let sums = EventStream<Int, Never>.sequence(1...3).scan(0, +)
    #expect(sums.record().elements == [1, 3, 6])
    #expect(sums.record().elements == [1, 3, 6])
    let lists = EventStream<Int, Never>.sequence(1...2).scan(into: [Int]()) { $0.append($1) }
    #expect(lists.record().elements == lists.record().elements)
  }

  @Test func failsWithTheErrorThatTheClosureThrows() {
    let numbers = Subject<Int, ContractFailure>()
    let sums = numbers.scan(0) { sum, number throws(ContractFailure) in
      if number < 0 { throw ContractFailure() }
      return sum + number
    }.record()
    let sumsInto = numbers.scan(into: 0) { sum, number throws(ContractFailure) in
      if number < 0 { throw ContractFailure() }
      sum += number
    }.record()
    numbers.next(1)
    numbers.next(-1)
    #expect(sums.events == [.next(1), .failed(ContractFailure())])
    #expect(sumsInto.events == [.next(1), .failed(ContractFailure())])
    #expect(!numbers.isObserved)
  }

  @Test func passesOnAFailure() {
    let numbers = EventStream<Int, ContractFailure>.failed(ContractFailure())
    #expect(numbers.scan(0, +).record().events == [.failed(ContractFailure())])
  }

  @Test func anElementMayCauseTheNext() {
    let numbers = PushStream<Int>()
    var sums: [Int] = []
    numbers.scan(0, +).observeNext { sum in
      sums.append(sum)
      if sum < 5 { numbers.next(1) }
    }
    numbers.next(1)
    #expect(sums == [1, 2, 3, 4, 5])
  }

  @Test func keepsTheContracts() {
    expectContracts { source, probe in
      source.scan(0) {
        probe.touch()
        return $0 + $1.value
      }
    }
    expectContracts { source, probe in
      source.scan(into: 0) {
        probe.touch()
        $0 += $1.value
      }
    }
    expectContracts(.accumulates) { source, probe in
      source.scan(into: []) {
        probe.touch()
        $0.append($1)
      }
    }
  }
}
