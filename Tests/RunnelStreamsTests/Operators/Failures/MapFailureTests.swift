import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

private struct Wrapped: Error, Hashable {
  let inner: ContractFailure
}

@Suite struct MapFailureTests {
  @Test func transformsTheError() {
    let recorder = EventStream<Int, ContractFailure>.just(1).append(.failed(ContractFailure()))
      .mapFailure { Wrapped(inner: $0) }.record()
    #expect(recorder.events == [.next(1), .failed(Wrapped(inner: ContractFailure()))])
  }

  @Test func anExplicitTypeAllowsChaining() {
    let recorder = EventStream<Int, ContractFailure>.just(1)
      .mapFailure(to: Wrapped.self) { .init(inner: $0) }.map { $0 + 1 }.record()
    #expect(recorder.events == [.next(2), .completed])
  }

  @Test func passesOnCompletion() {
    let recorder = EventStream<Int, ContractFailure>.just(1).mapFailure { Wrapped(inner: $0) }
      .record()
    #expect(recorder.events == [.next(1), .completed])
  }

  @Test func keepsTheContracts() {
    expectContracts { source, probe in
      source.mapFailure {
        probe.touch()
        return Wrapped(inner: $0)
      }
    }
  }
}
