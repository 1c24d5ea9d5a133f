import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct FromTests {
  @Test func sendsTheValueOfAnOptional() {
    #expect(EventStream<Int, Never>.from(1).record().events == [.next(1), .completed])
    #expect(EventStream<Int, Never>.from(nil).record().events == [.completed])
    #expect(EventStream<Int, Never>.from(Int("x")).record().events == [.completed])
  }

  @Test func sendsTheValueOrTheErrorOfAResult() {
    let value: Result<Int, ContractFailure> = .success(1)
    let error: Result<Int, ContractFailure> = .failure(ContractFailure())
    #expect(EventStream.from(value).record().events == [.next(1), .completed])
    #expect(EventStream.from(error).record().events == [.failed(ContractFailure())])
  }

  @Test func keepsTheContracts() {
    expectContracts { source, probe in
      source.flatMap { element in
        probe.touch()
        return .from(element)
      }
    }
    expectContracts(.handlesFailure) { source, probe in
      source.flatMap { element in
        probe.touch()
        return .from(.success(element))
      }
    }
  }
}
