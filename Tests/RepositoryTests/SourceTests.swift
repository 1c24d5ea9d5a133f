import Testing

/// Checks of `Sources` by the programs in `Scripts`.
@Suite struct SourceTests {
  @Test func architectureListsTheModulesOfTheSources() throws {
    let (status, output) = try runScript("modules --check")
    #expect(status == 0, "\(output)")
  }

  /// Three Booleans may be a state without a name. Make it an enum, or explain why they are
  /// independent, in a comment directly above the first one: "// Flags (3): …", with their number.
  @Test func typesWithThreeBooleansAreExplained() throws {
    let (status, output) = try runScript("flags --check")
    #expect(status == 0, "\(output)")
  }
}
