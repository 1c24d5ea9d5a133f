import RunnelTesting
import Testing

/// What must compile, and what must not: confinement (C11) is as good as the compiler's refusal.
///
/// Each file in `Snippets/Rejected` names in its first line what the compiler must say. Data races
/// are found after the types are checked, so the snippets are compiled as far as there.
@Suite struct SafetyTests {
  @Test func rejectsWhatWouldRace() async throws {
    let compiler = try Compiler()
    let files = snippets(in: "Rejected")
    #expect(files.count >= 20)
    for fault in await faults(in: files, compiler.fault(ofRejected:)) { Issue.record("\(fault)") }
  }

  @Test func acceptsWhatIsSafe() async throws {
    let compiler = try Compiler()
    let files = snippets(in: "Accepted")
    #expect(files.count >= 20)
    for fault in await faults(in: files, compiler.fault(ofAccepted:)) { Issue.record("\(fault)") }
  }

  /// Compiles on a thread of its own: the threads that tests run on are not for waiting.
  private func faults(
    in files: [String], _ check: @escaping @Sendable (String) -> String?
  ) async -> [String] {
    await ManualContext.onThread { _ in files.compactMap(check) }
  }
}
