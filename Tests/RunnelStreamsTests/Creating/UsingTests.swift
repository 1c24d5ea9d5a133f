import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct UsingTests {
  private let source = Subject<Int, ContractFailure>()

  @Test func disposesTheSourceThenTheResource() {
    var log: [String] = []
    let stream = EventStream<Int, ContractFailure>.using {
      log.append("acquired")
      return 7
    } dispose: { resource in
      log.append("released \(resource)")
    } stream: { resource in
      EventStream { observer in
        observer.next(resource)
        return Disposable { log.append("torn down") }
      }
    }
    #expect(log.isEmpty)
    let recorder = stream.record()
    #expect(recorder.elements == [7])
    recorder.dispose()
    #expect(log == ["acquired", "torn down", "released 7"])
  }

  @Test func releasesAfterTheEndIsDelivered() {
    var log: [String] = []
    EventStream<Int, ContractFailure>.using {
    } dispose: {
      log.append("released")
    } stream: {
      source.stream
    }
    .observe(failed: { _ in log.append("failed") }, completed: { log.append("completed") })
    source.completed()
    #expect(log == ["completed", "released"])
  }

  @Test func eachObservationAcquiresItsOwnResource() {
    var acquired = 0
    var released: [Int] = []
    let stream = EventStream<Int, ContractFailure>.using {
      acquired += 1
      return acquired
    } dispose: {
      released.append($0)
    } stream: {
      .just($0)
    }
    #expect(stream.record().elements == [1])
    #expect(stream.record().elements == [2])
    #expect(released == [1, 2])
  }

  @Test func failsWithTheErrorOfTheResourceClosure() {
    var released = 0
    let stream = EventStream<Int, ContractFailure>.using {
      () throws(ContractFailure) -> Int in
      throw ContractFailure()
    } dispose: { _ in
      released += 1
    } stream: {
      .just($0)
    }
    #expect(stream.record().events == [.failed(ContractFailure())])
    #expect(released == 0)
  }

  @Test func releasesTheResourceWhenTheStreamThrows() {
    var released = 0
    let stream = EventStream<Int, ContractFailure>.using {
      1
    } dispose: { _ in
      released += 1
    } stream: {
      _ throws(ContractFailure) -> EventStream<Int, ContractFailure> in
      throw ContractFailure()
    }
    #expect(stream.record().events == [.failed(ContractFailure())])
    #expect(released == 1)
  }

  @Test func releasesAResourceAcquiredDuringDisposal() {
    let observation = Disposable()
    var log: [String] = []
    EventStream<Int, ContractFailure>.using {
      observation.dispose()
    } dispose: {
      log.append("released")
    } stream: {
      log.append("made")
      return .never
    }
    .start(in: observation, next: { _ in }, end: { _ in })
    #expect(log == ["released"])
  }

  @Test func keepsTheContracts() {
    expectContracts { source, probe in
      EventStream<ContractElement, ContractFailure>.using {
        probe.touch()
        return probe
      } dispose: { _ in
      } stream: { resource in
        resource.touch()
        return source
      }
    }
  }
}
