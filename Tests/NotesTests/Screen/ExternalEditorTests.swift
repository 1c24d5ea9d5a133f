import Foundation
import Testing

/// Editing a note with the user's editor.
@Suite struct ExternalEditorTests {
  /// Runs a script on a note "Milk", with an editor that is a shell script.
  private func run(_ script: String, editor: String) async throws -> Program.Outcome {
    var outcome = Program.Outcome(status: 0, output: "", errors: "")
    try await Program.withHome { home in
      let start =
        "write Milk.txt milk\nexpect \"1 note\"\ntype \"Milk\\n\"\nkey ctrl+end\n"
      try FileManager.default.createDirectory(
        atPath: "\(home)/notes", withIntermediateDirectories: true)
      for (name, text) in [("script", start + script), ("edit", editor)] {
        try text.write(toFile: "\(home)/\(name)", atomically: true, encoding: .utf8)
      }
      outcome = try await Program.run(
        ["--headless", "--script", "\(home)/script", "\(home)/notes"],
        environment: ["HOME": home, "EDITOR": "sh \(home)/edit --wait"])
    }
    return outcome
  }

  @Test func unsavedTextReachesEditorAndItsTextComesBack() async throws {
    let script = """
      type "!"
      key ctrl+o
      expect "Edited Milk"
      expect "│milk! and bread"
      key ctrl+end
      type "?"
      advance 1s
      expect-file Milk.txt "milk! and bread?"
      """
    let outcome = try await run(script, editor: "test $1 = --wait && printf ' and bread' >> \"$2\"")
    #expect(outcome == Program.Outcome(status: 0, output: "", errors: ""))
  }

  @Test(arguments: [
    ("exit 3", "The editor ended with status 3."), ("kill $$", "A signal ended the editor."),
    ("exit 127", "Set EDITOR: it names no program."),
  ])
  func failureOfEditorIsShown(_ editor: String, _ message: String) async throws {
    let script = "key ctrl+o\nexpect \"\(message)\"\nexpect-file Milk.txt milk"
    #expect(try await run(script, editor: editor).errors == "")
  }
}
