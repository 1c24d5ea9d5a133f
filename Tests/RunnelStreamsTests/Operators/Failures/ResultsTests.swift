import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

private enum Fault: Error, Hashable {
  case broken
}

@Suite struct ResultsTests {
  @Test func convertsElementsAndFailureToResults() {
    let recorder = EventStream<Int, Fault>.just(1).append(.failed(.broken)).results().record()
    #expect(recorder.events == [.next(.success(1)), .next(.failure(.broken)), .completed])
  }

  @Test func completesWithTheStream() {
    #expect(
      EventStream<Int, Fault>.just(1).results().record().events == [.next(.success(1)), .completed])
  }

  @Test func convertsResultsToElementsAndFailure() {
    let results = PushStream<Result<Int, Fault>>()
    let recorder = results.unwrapResults().record()
    results.next(.success(1))
    results.next(.failure(.broken))
    #expect(!results.isObserved)
    results.next(.success(2))
    #expect(recorder.events == [.next(1), .failed(.broken)])
  }

  @Test func aRoundTripPreservesTheEvents() {
    for end in [EventStream<Int, Fault>.completed, .failed(.broken)] {
      let stream = EventStream<Int, Fault>.sequence([1, 2]).append(end)
      #expect(stream.results().unwrapResults().record().events == stream.record().events)
    }
  }

  @Test func keepsTheContracts() {
    expectContracts(.handlesFailure) { source, probe in
      source
        .filter { _ in
          probe.touch()
          return true
        }
        .results()
    }
    expectContracts { source, probe in
      source.results()
        .filter { _ in
          probe.touch()
          return true
        }
        .unwrapResults()
    }
  }
}
