import Glibc
import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite(.serialized) struct IgnoreFailureTests {
  private let source = EventStream<Int, ContractFailure>.just(1).append(.failed(ContractFailure()))

  @Test func completesAndLogsErrorAndLocation() {
    var log: [String] = []
    let line: UInt = #line + 1
    let recorder = source.ignoreFailure { error, place in log.append("\(place) \(error)") }.record()
    #expect(recorder.events == [.next(1), .completed])
    #expect(log == ["\(#fileID):\(line) \(ContractFailure())"])
  }

  @Test func passesOnCompletion() {
    var log: [ContractFailure] = []
    let recorder = EventStream<Int, ContractFailure>.just(1)
      .ignoreFailure { error, _ in log.append(error) }.record()
    #expect(recorder.events == [.next(1), .completed])
    #expect(log.isEmpty)
  }

  @Test func reportsToTheHookByDefault() async {
    await #expect(processExitsWith: .success) {
      Hooks.unhandledFailure = { failure in
        guard failure.error is ContractFailure, failure.location.line == 100 else { return }
        Hooks.unhandledFailure = { _ in }
        exit(EXIT_SUCCESS)
      }
      EventStream<Int, ContractFailure>.failed(ContractFailure()).ignoreFailure(line: 100)
        .observe { _ in }
      exit(EXIT_FAILURE)
    }
  }

  @Test func keepsTheContracts() {
    expectContracts(.handlesFailure) { source, probe in
      source.ignoreFailure { _, _ in probe.touch() }
    }
  }
}
