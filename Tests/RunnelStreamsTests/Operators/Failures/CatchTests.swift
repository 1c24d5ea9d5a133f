import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

private enum Fault: Error, Hashable {
  case first
  case second
}

@Suite struct CatchTests {
  private let source = Subject<Int, Fault>()
  private let fallback = Subject<Int, Fault>()

  @Test func continuesWithTheFallback() {
    let recorder = source.catch { _ in fallback.stream }.record()
    source.next(1)
    source.failed(.first)
    fallback.next(2)
    fallback.completed()
    #expect(recorder.events == [.next(1), .next(2), .completed])
  }

  @Test func completionCallsNoClosure() {
    let recorder = source.catch { _ in .just(0) }.record()
    source.completed()
    #expect(recorder.events == [.completed])
  }

  @Test func failsWithTheFailureOfTheFallback() {
    let recorder = source.catch { _ in .failed(.second) }.record()
    source.failed(.first)
    #expect(recorder.events == [.failed(.second)])
  }

  @Test func failsWithTheErrorThatTheClosureThrows() {
    let recorder = source.catch { _ throws(Fault) in throw .second }.record()
    source.failed(.first)
    #expect(recorder.events == [.failed(.second)])
  }

  @Test func tearsDownTheFailedSourceFirst() {
    var log: [String] = []
    let failing = EventStream<Int, Fault> { observer in
      observer.failed(.first)
      return Disposable { log.append("torn down") }
    }
    failing
      .catch { _ in
        .deferred {
          log.append("observed")
          return .just(1)
        }
      }
      .observe(failed: { _ in }, completed: { log.append("completed") })
    #expect(log == ["torn down", "observed", "completed"])
    let recorder =
      source
      .catch { _ in
        log.append(source.isObserved ? "leaked" : "gone")
        return .never
      }
      .record()
    source.failed(.first)
    #expect(!source.isObserved)
    #expect(recorder.events.isEmpty)
  }

  @Test func eachObservationUsesItsOwnFallback() {
    let stream = EventStream<Int, Fault>.failed(.first).catch { _ in .just(1) }
    #expect(stream.record().events == [.next(1), .completed])
    #expect(stream.record().events == [.next(1), .completed])
  }

  @Test func disposalReachesTheFallback() {
    let recorder = source.catch { _ in fallback.stream }.record()
    source.failed(.first)
    #expect(fallback.isObserved)
    recorder.dispose()
    #expect(!fallback.isObserved)
  }

  @Test func changesTheTypeOfTheFailure() {
    let mapped: EventStream<Int, ContractFailure> = source.flatMapFailure { fault in
      fault == .first ? .just(1) : .failed(ContractFailure())
    }
    let recorder = mapped.record()
    source.next(0)
    source.failed(.first)
    #expect(recorder.events == [.next(0), .next(1), .completed])
    let other = Subject<Int, Fault>()
    let failed = other.flatMapFailure(to: ContractFailure.self) { _ in .failed(ContractFailure()) }
      .map { $0 + 1 }.record()
    other.failed(.second)
    #expect(failed.events == [.failed(ContractFailure())])
  }

  @Test func keepsTheContracts() {
    expectContracts([.handlesFailure, .outlivesSource]) { source, probe in
      source.catch { _ in
        probe.touch()
        return source
      }
    }
    expectContracts([.handlesFailure, .outlivesSource]) { source, probe in
      source.flatMapFailure { _ -> EventStream<ContractElement, Never> in
        probe.touch()
        return .just(ContractElement(0))
      }
    }
  }
}
