import RunnelTesting
import Testing

@testable import ExampleFiles

/// Hints: unavailable members, whose messages tell newcomers what to write instead.
///
/// In the files of `Snippets/Hints`, a comment before a call contains its error: `// expect: …`,
/// continued by comments that begin with three spaces.
@Suite struct HintTests {
  @Test func hintsNameTheFormInRunnel() async throws {
    let compiler = try Compiler()
    let files = snippets(in: "Hints")
    #expect(files.count >= 8)
    let outputs = await ManualContext.onThread { _ in files.map { compiler.compile([$0]).output } }
    for (file, output) in zip(files, outputs) {
      let expected = try Self.expected(in: file)
      #expect(Self.errors(in: output) == expected, "\(file)\n\(output)")
      #expect(!output.contains(": warning: "), "\(output)")
    }
  }

  @Test func everyHintHasASnippet() throws {
    let tested = try snippets(in: "Hints").flatMap { file in
      try Self.expected(in: file).values.compactMap { error in
        error.firstMatch(of: /^'(\w+)/).map { String($0.1) }
      }
    }
    let declared = try Self.declaredNames()
    #expect(declared.count >= 70)
    #expect(declared == Set(tested))
  }

  @Test func everyHintIsInTheMigrationGuide() throws {
    let guide = try PackageFiles.lines(of: "Documentation/Migration.md").joined(separator: "\n")
    let words = Set(guide.matches(of: /\w+/).map { String($0.0) })
    #expect(try Self.declaredNames().subtracting(words) == [])
  }

  /// Returns the names of the members in the folders of hints.
  private static func declaredNames() throws -> Set<String> {
    let files = try PackageFiles.all(below: "Sources", ending: ".swift").filter {
      $0.contains("/Hints/")
    }
    let lines = try files.flatMap { try PackageFiles.lines(of: $0) }
    return Set(
      lines.compactMap { line in
        line.firstMatch(of: /public (?:static )?(?:func|var) (\w+)/).map { String($0.1) }
      })
  }

  /// Returns the expected errors by their lines.
  private static func expected(in file: String) throws -> [Int: String] {
    let text = try #require(Compiler.text(of: file))
    var expected: [Int: String] = [:]
    var pending: String?
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let code = line.drop { $0 == " " }
      if code.hasPrefix("// expect: ") {
        pending = String(code.dropFirst("// expect: ".count))
      } else if code.hasPrefix("//   "), let begun = pending {
        pending = begun + code.dropFirst("//  ".count)
      } else if let error = pending {
        expected[index + 1] = error
        pending = nil
      }
    }
    return expected
  }

  /// Returns the errors in the output of the compiler by their lines.
  private static func errors(in output: String) -> [Int: String] {
    var errors: [Int: String] = [:]
    for line in output.split(separator: "\n") {
      guard let match = line.firstMatch(of: /^\/[^:]+:(\d+):\d+: error: (.*)$/),
        let number = Int(match.1)
      else { continue }
      errors[number] = (errors[number].map { $0 + "; " } ?? "") + match.2
    }
    return errors
  }
}
