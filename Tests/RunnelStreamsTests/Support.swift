import RunnelStreams
import RunnelTesting
import Testing

/// Runs the contract battery and records each violation as an issue.
func expectContracts<Output, Failure: Error>(
  _ traits: ContractTraits = [],
  sourceLocation: Testing.SourceLocation = #_sourceLocation,
  of operation:
    @escaping (EventStream<ContractElement, ContractFailure>, ContractProbe) -> EventStream<
      Output, Failure
    >
) {
  for violation in contractViolations(traits, of: operation) {
    Issue.record("\(violation)", sourceLocation: sourceLocation)
  }
}

extension ExitTest.Result? {
  /// Returns true if the process's standard error contains the message.
  func says(_ message: String) -> Bool {
    guard let self else { return false }
    return String(decoding: self.standardErrorContent, as: UTF8.self).contains(message)
  }
}
