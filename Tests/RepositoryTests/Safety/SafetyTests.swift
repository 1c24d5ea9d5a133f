import RunnelTesting
import Testing

/// Code that must compile and code that must not. Confinement (C11) relies on the compiler's
/// errors.
///
/// The first line of each file in `Snippets/Rejected` contains the expected error. The compiler
/// finds data races after type checking, so the snippets are compiled up to that stage.
@Suite struct SafetyTests {
  @Test func rejectsCodeThatCouldRace() async throws {
    let compiler = try Compiler()
    let files = snippets(in: "Rejected")
    #expect(files.count >= 20)
    for fault in await faults(in: files, compiler.fault(ofRejected:)) { Issue.record("\(fault)") }
  }

  @Test func acceptsSafeCode() async throws {
    let compiler = try Compiler()
    let files = snippets(in: "Accepted")
    #expect(files.count >= 20)
    for fault in await faults(in: files, compiler.fault(ofAccepted:)) { Issue.record("\(fault)") }
  }

  /// Compiles on a thread of its own, because the threads that run tests must not block.
  private func faults(
    in files: [String], _ check: @escaping @Sendable (String) -> String?
  ) async -> [String] {
    await ManualContext.onThread { _ in files.compactMap(check) }
  }
}
