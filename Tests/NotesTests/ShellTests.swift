import Foundation
import RunnelTesting
import Testing

/// The program itself, as a shell runs it.
@Suite struct ShellTests {
  private typealias Outcome = Program.Outcome

  /// Runs it in a home of its own.
  @discardableResult
  private func notes(
    _ arguments: String..., input: String = "", home: String
  ) async throws -> Outcome {
    try await Program.run(arguments, input: input, environment: ["HOME": home])
  }

  private func ok(_ output: String) -> Outcome { Outcome(status: 0, output: output, errors: "") }

  @Test(arguments: [
    ("type x\nclick\n", "line 2"), ("# nothing\nfly\n", "line 2"),
    ("remove none.txt\n", "line 1: none.txt cannot be removed"),
  ])
  func whatAScriptGetsWrongIsSaid(_ script: String, _ words: String) async throws {
    try await Program.withHome { home in
      try script.write(toFile: "\(home)/script", atomically: true, encoding: .utf8)
      let outcome = try await notes("--headless", "--script", "\(home)/script", home: home)
      #expect(outcome.status == 1)
      #expect(outcome.errors.contains(words))
      let missing = try await notes("--headless", "--script", "\(home)/none", home: home)
      #expect(missing.status == 3 && missing.errors.contains("none"))
      #expect(FileManager.default.fileExists(atPath: "\(home)/Notes") == words.contains("removed"))
    }
  }

  @Test func notesAreMadeListedFoundAndShown() async throws {
    try await Program.withHome { home in
      #expect(try await notes("list", home: home) == Outcome(status: 1, output: "", errors: ""))
      #expect(FileManager.default.fileExists(atPath: "\(home)/Notes"))
      #expect(try await notes("new", "Milk", "two bottles", home: home) == ok(""))
      #expect(try await notes("new", "Crème", input: "of #work\r\n", home: home) == ok(""))
      try await notes("new", "Empty", home: home)
      let settings = "sort = title\norder = ascending\npinned = Milk.txt\n"
      try settings.write(
        toFile: "\(home)/Notes/.notes-settings", atomically: true, encoding: .utf8)
      #expect(try await notes("list", home: home) == ok("Milk\nCrème\nEmpty\n"))
      #expect(try await notes("search", "creme", home: home) == ok("Crème\n"))
      #expect(try await notes("search", "tag:work", "of", home: home) == ok("Crème\n"))
      #expect(try await notes("search", "\"two bot\"", home: home) == ok("Milk\n"))
      #expect(try await notes("show", "Crème", home: home) == ok("of #work\r\n"))
      #expect(try await notes("show", "Milk.txt", home: home) == ok("two bottles\n"))
      #expect(try await notes("show", "Empty", home: home) == ok(""))
      #expect(try await notes("show", "Cheese", home: home).status == 1)
      #expect(try await notes("search", "cheese", home: home).status == 1)
    }
  }

  private struct Listed: Decodable, Equatable {
    let title: String
    let file: String
    let pinned: Bool
    let modified: Int
    let text: String
  }

  @Test func jsonIsWhatOthersRead() async throws {
    try await Program.withHome { home in
      let text = "\"quoted\" \\ \n\t\u{1}\u{1F}\u{7F} é 👩‍👩‍👧‍👦\r\n"
      try await notes("new", "a \"b\"", "-f", "\(home)/n", input: text, home: home)
      let utc = Int(Date().timeIntervalSince1970)
      for arguments in [["list"], ["search", "quoted"], ["show", "a \"b\""]] {
        let outcome = try await Program.run(
          arguments + ["--json", "-f", "\(home)/n"], environment: ["HOME": home])
        let listed = try JSONDecoder().decode([Listed].self, from: Data(outcome.output.utf8))
        #expect(listed.count == 1)
        #expect(listed.first?.title == "a \"b\"" && listed.first?.file == "a \"b\".txt")
        // Lines end as the app shows them.
        #expect(listed.first?.text == text.replacing("\r\n", with: "\n"))
        #expect(listed.first?.pinned == false)
        #expect(abs((listed.first?.modified ?? 0) - utc) < 600)
      }
      let none = try await notes("search", "x", "--json", "-f", "\(home)/n", home: home)
      #expect(none == Outcome(status: 1, output: "[]\n", errors: ""))
    }
  }

  @Test func theStatusTells() async throws {
    try await Program.withHome { home in
      try await notes("new", "Milk", "one", home: home)
      let again = try await notes("new", "Milk", "two", home: home)
      #expect(again.status == 3)
      #expect(again.errors.hasPrefix("notes: There is something at \"\(home)/Notes/Milk.txt\""))
      #expect(try await notes("show", "Milk", home: home) == ok("one\n"))
      let missing = try await notes("list", "-f", "\(home)/none", home: home)
      #expect(missing.status == 3 && missing.errors.contains("There is nothing at"))
      #expect(!FileManager.default.fileExists(atPath: "\(home)/none"))
      let usage = try await notes("--unknown", home: home)
      #expect(usage.status == 2 && usage.output == "" && usage.errors.contains("--help"))
    }
  }

  /// A folder can be opened as the standard input, but not be read.
  @Test func halfAnInputIsNoNote() async throws {
    try await Program.withHome { home in
      let outcome = try await Program.run(
        ["-c", "'\(Program.path)' new Milk </"], of: "/bin/sh", environment: ["HOME": home])
      #expect(outcome.status == 3)
      #expect(outcome.errors.hasPrefix("notes: \"the standard input\" is a folder"))
      #expect(!FileManager.default.fileExists(atPath: "\(home)/Notes"))
    }
  }

  @Test func aDiskThatIsFullIsSaid() async throws {
    try await Program.withHome { home in
      try await notes("new", "Milk", "one", home: home)
      let outcome = try await Program.run(
        ["-c", "'\(Program.path)' list >/dev/full 2>/dev/null"], of: "/bin/sh",
        environment: ["HOME": home])
      #expect(outcome.status == 3)
    }
  }

  @Test func helpIsAManualPage() async throws {
    try await Program.withHome { home in
      let help = try await notes("--help", home: home)
      #expect(help.status == 0)
      for heading in ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "EXAMPLES"] {
        #expect(help.output.contains("\(heading)\n  "), "\(heading)")
      }
      let longest = help.output.split(separator: "\n").map(\.count).max() ?? 0
      #expect(longest <= 92)
      #expect(try await notes("--version", home: home).output.hasPrefix("notes "))
      #expect(!FileManager.default.fileExists(atPath: "\(home)/Notes"))
    }
  }
}
