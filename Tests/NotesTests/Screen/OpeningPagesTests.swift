import Foundation
import Testing

/// Opening the address at the caret in the user's browser, which is a shell script here.
@Suite struct OpeningPagesTests {
  private static let address = "https://example.org/?a=b&c='d';`touch${IFS}bad`\"x"

  private func run(_ end: String, browser: String) async throws -> Program.Outcome {
    var outcome = Program.Outcome(status: 0, output: "", errors: "")
    try await Program.withHome { home in
      try FileManager.default.createDirectory(
        atPath: "\(home)/notes", withIntermediateDirectories: true)
      let script = "expect \"1 note\"\ntype \"Links\\n\"\nkey ctrl+home down alt+enter\n" + end
      for (name, text) in [
        ("notes/Links.txt", "first\n\(Self.address), and more"), ("script", script),
        ("browse", "cd '\(home)/notes'; " + browser),
      ] {
        try text.write(toFile: "\(home)/\(name)", atomically: true, encoding: .utf8)
      }
      outcome = try await Program.run(
        ["--headless", "--script", "\(home)/script", "\(home)/notes"],
        environment: ["HOME": home, "PATH": "/usr/bin:/bin", "BROWSER": "sh \(home)/browse --new"])
      let names = try FileManager.default.contentsOfDirectory(atPath: "\(home)/notes")
      #expect(!names.contains("bad"))
    }
    return outcome
  }

  @Test func addressReachesBrowserAsOneArgument() async throws {
    let quoted = Self.address.replacing("\"", with: "\\\"")
    let outcome = try await run(
      "expect-file opened \"2 --new \(quoted)\"\n",
      browser: "printf '%s %s %s' $# \"$1\" \"$2\" > part; mv part opened")
    #expect(outcome == Program.Outcome(status: 0, output: "", errors: ""))
  }

  @Test func failureOfBrowserIsShown() async throws {
    let outcome = try await run("expect \"Set BROWSER: it did not open\"\n", browser: "exit 3")
    #expect(outcome == Program.Outcome(status: 0, output: "", errors: ""))
  }
}
