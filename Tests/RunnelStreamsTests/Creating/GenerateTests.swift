import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct GenerateTests {
  @Test func computesEachElementFromThePreviousOne() {
    #expect(
      EventStream<Int, Never>.generate(1, while: { $0 < 10 }) { $0 * 2 }.record().events
        == [.next(1), .next(2), .next(4), .next(8), .completed])
  }

  @Test func completesWhenTheConditionIsFalseAtFirst() {
    #expect(
      EventStream<Int, Never>.generate(1, while: { $0 < 0 }) { $0 }.record().events == [.completed])
  }

  @Test func failsWithTheErrorThatAClosureThrows() {
    let stream = EventStream<Int, ContractFailure>.generate(1, while: { _ in true }) {
      number throws(ContractFailure) in
      if number == 2 { throw ContractFailure() }
      return number + 1
    }
    #expect(stream.record().events == [.next(1), .next(2), .failed(ContractFailure())])
    let other = EventStream<Int, ContractFailure>.generate(
      1, while: { _ throws(ContractFailure) in throw ContractFailure() }, next: { $0 })
    #expect(other.record().events == [.failed(ContractFailure())])
  }

  @Test func anEndlessSequenceStopsOnDisposal() {
    let observation = Disposable()
    var made = 0
    EventStream<Int, Never>
      .generate(1, while: { _ in true }) {
        made += 1
        return $0 + 1
      }
      .start(in: observation, next: { if $0 == 100 { observation.dispose() } }, end: { _ in })
    #expect(made == 99)
  }

  @Test func keepsTheContracts() {
    expectContracts { source, probe in
      source.flatMap { element in
        .generate(
          element,
          while: { made in
            probe.touch()
            return made.value < 3
          },
          next: { made in
            probe.touch()
            return ContractElement(made.value + 1)
          })
      }
    }
  }
}
