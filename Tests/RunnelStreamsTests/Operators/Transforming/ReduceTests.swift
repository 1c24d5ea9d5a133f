import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct ReduceTests {
  @Test func sendsTheResultOnCompletion() {
    let numbers = PushStream<Int>()
    let sum = numbers.reduce(0, +).record()
    let counts = numbers.reduce(into: [:]) { $0[$1, default: 0] += 1 }.record()
    let array = numbers.toArray().record()
    for number in [1, 2, 1] { numbers.next(number) }
    #expect(sum.events == [])
    numbers.completed()
    #expect(sum.events == [.next(4), .completed])
    #expect(counts.events == [.next([1: 2, 2: 1]), .completed])
    #expect(array.events == [.next([1, 2, 1]), .completed])
  }

  @Test func sendsTheInitialResultWithoutElements() {
    let empty = EventStream<Int, Never>.completed
    #expect(empty.reduce(7, +).record().events == [.next(7), .completed])
    #expect(empty.reduce(into: 7) { $0 += $1 }.record().events == [.next(7), .completed])
    #expect(empty.toArray().record().events == [.next([]), .completed])
  }

  @Test func eachObservationStartsEmpty() {
    let array = EventStream<Int, Never>.sequence(1...3).toArray()
    #expect(array.record().elements == [[1, 2, 3]])
    #expect(array.record().elements == [[1, 2, 3]])
  }

  @Test func aFailureDiscardsTheResult() {
    let numbers = Subject<Int, ContractFailure>()
    let sum = numbers.reduce(0, +).record()
    let array = numbers.toArray().record()
    numbers.next(1)
    numbers.failed(ContractFailure())
    #expect(sum.events == [.failed(ContractFailure())])
    #expect(array.events == [.failed(ContractFailure())])
  }

  @Test func failsWithTheErrorThatTheClosureThrows() {
    let numbers = Subject<Int, ContractFailure>()
    let sum = numbers.reduce(0) { _, _ throws(ContractFailure) in throw ContractFailure() }.record()
    numbers.next(1)
    #expect(sum.events == [.failed(ContractFailure())])
    #expect(!numbers.isObserved)
  }

  @Test func disposalInTheResultSkipsCompletion() {
    let observation = Disposable()
    var log: [String] = []
    EventStream<Int, Never>.sequence(1...3).reduce(0, +).stream.start(
      in: observation,
      next: { sum in
        log.append("\(sum)")
        observation.dispose()
      }, end: { _ in log.append("end") })
    #expect(log == ["6"])
  }

  @Test func keepsTheContracts() {
    expectContracts(.awaitsEnd) { source, probe in
      source.reduce(0) {
        probe.touch()
        return $0 + $1.value
      }.stream
    }
    expectContracts(.awaitsEnd) { source, probe in
      source.reduce(into: 0) {
        probe.touch()
        $0 += $1.value
      }.stream
    }
    expectContracts([.awaitsEnd, .accumulates]) { source, _ in source.toArray().stream }
  }
}
