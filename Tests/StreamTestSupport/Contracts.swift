import RunnelStreams
import RunnelTesting
import Testing

/// Runs the contract battery and records each violation as an issue.
package func expectContracts<Output, Failure: Error>(
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
