import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct RepeatedTests {
  @Test func observesTheSourceCountTimes() {
    #expect(
      EventStream<Int, Never>.sequence([1, 2]).repeated(2).record().events
        == [.next(1), .next(2), .next(1), .next(2), .completed])
  }

  @Test func zeroTimesCompletesWithoutObserving() {
    var wasObserved = false
    let source = EventStream<Int, Never>.deferred {
      wasObserved = true
      return .just(1)
    }
    #expect(source.repeated(0).record().events == [.completed])
    #expect(!wasObserved)
  }

  @Test func manyRepetitionsDoNotRecurse() {
    #expect(EventStream<Int, Never>.just(1).repeated(100_000).record().elements.count == 100_000)
  }

  @Test func aFailureFailsIt() {
    let source = EventStream<Int, ContractFailure>.just(1).append(.failed(ContractFailure()))
    #expect(source.repeated(3).record().events == [.next(1), .failed(ContractFailure())])
  }

  @Test func endlessRepetitionStopsOnDisposal() {
    let observation = Disposable()
    var count = 0
    EventStream<Int, Never>.just(1).repeated().start(
      in: observation,
      next: { _ in
        count += 1
        if count == 1000 { observation.dispose() }
      }, end: { _ in })
    #expect(count == 1000)
  }

  @Test func trapsOnANegativeCount() async {
    await #expect(processExitsWith: .failure) {
      _ = EventStream<Int, Never>.just(1).repeated(-1)
    }
  }

  @Test func keepsTheContracts() {
    expectContracts(.outlivesSource) { source, probe in
      source
        .filter { _ in
          probe.touch()
          return true
        }
        .repeated(2)
    }
  }
}
