import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct FailingTests {
  @Test func combinesWithStreamsThatCanFail() {
    let recorder = EventStream.merge(
      EventStream<Int, Never>.just(1).failing(with: ContractFailure.self),
      .failed(ContractFailure())
    ).record()
    #expect(recorder.events == [.next(1), .failed(ContractFailure())])
  }

  @Test func passesOnCompletion() {
    let recorder = EventStream<Int, Never>.just(1).failing(with: ContractFailure.self).record()
    #expect(recorder.events == [.next(1), .completed])
  }

  @Test func keepsTheContracts() {
    expectContracts(.handlesFailure) { source, probe in
      source
        .filter { _ in
          probe.touch()
          return true
        }
        .ignoreFailure { _, _ in }.failing(with: ContractFailure.self)
    }
  }
}
