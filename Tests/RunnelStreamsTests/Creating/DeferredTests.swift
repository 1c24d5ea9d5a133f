import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct DeferredTests {
  @Test func makesAStreamForEachObservation() {
    var count = 0
    let stream = EventStream<Int, Never>.deferred {
      count += 1
      return .just(count)
    }
    #expect(count == 0)
    #expect(stream.record().events == [.next(1), .completed])
    #expect(stream.record().events == [.next(2), .completed])
  }

  @Test func failsWithTheErrorThatTheClosureThrows() {
    let stream = EventStream<Int, ContractFailure>.deferred { () throws(ContractFailure) in
      throw ContractFailure()
    }
    #expect(stream.record().events == [.failed(ContractFailure())])
  }

  @Test func disposingInsideTheClosureObservesNothing() {
    let observation = Disposable()
    var wasObserved = false
    let source = EventStream<Int, Never> { _ in
      wasObserved = true
      return .none
    }
    EventStream<Int, Never>
      .deferred {
        observation.dispose()
        return source
      }
      .start(in: observation, next: { _ in }, end: { _ in })
    #expect(!wasObserved)
  }

  @Test func keepsTheContracts() {
    expectContracts { source, probe in
      EventStream<ContractElement, ContractFailure>.deferred {
        probe.touch()
        return source
      }
    }
  }
}
