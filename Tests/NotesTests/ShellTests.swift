import Foundation
import RunnelTesting
import TestSupport
import Testing

/// The program as a shell runs it.
@Suite struct ShellTests {
  private typealias Outcome = Program.Outcome

  /// Runs the program with a home folder.
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
  func scriptErrorsAreReported(_ script: String, _ words: String) async throws {
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

  @Test func commandsCreateListFindAndShowNotes() async throws {
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

  /// Each command creates the default folder if it does not exist.
  @Test(arguments: [["list"], ["search", "x"], ["show", "x"], ["new", "Milk", "one"], ["app"]])
  func defaultFolderIsCreatedOnFirstUse(_ arguments: [String]) async throws {
    try await Program.withHome { home in
      let script = "\(home)/script"
      try "expect \"0 notes\"\n".write(toFile: script, atomically: true, encoding: .utf8)
      let isApp = arguments == ["app"]
      let outcome = try await Program.run(
        isApp ? ["--headless", "--script", script] : arguments, environment: ["HOME": home])
      let isSilent = !["search", "show"].contains(arguments[0])
      #expect(outcome.errors.isEmpty == isSilent)
      #expect(outcome.status == (isApp || arguments[0] == "new" ? 0 : 1))
      let names = try FileManager.default.contentsOfDirectory(atPath: "\(home)/Notes")
      #expect(names == (arguments[0] == "new" ? ["Milk.txt"] : []))
    }
  }

  private struct Listed: Decodable, Equatable {
    let title: String
    let file: String
    let pinned: Bool
    let modified: Int
    let text: String
  }

  @Test func jsonOutputIsDecodable() async throws {
    try await Program.withHome { home in
      let text = "\"quoted\" \\ \n\t\u{1}\u{1F}\u{7F} é 👩‍👩‍👧‍👦\r\n"
      let utc = Int(Date().timeIntervalSince1970)
      try await notes("new", "a \"b\"", "-f", "\(home)/n", input: text, home: home)
      for arguments in [["list"], ["search", "quoted"], ["show", "a \"b\""], ["new", "a \"b\""]] {
        if arguments[0] == "new" { try FileManager.default.removeItem(atPath: "\(home)/n") }
        let outcome = try await Program.run(
          arguments + ["--json", "-f", "\(home)/n"], input: arguments[0] == "new" ? text : "",
          environment: ["HOME": home])
        let listed = try JSONDecoder().decode([Listed].self, from: Data(outcome.output.utf8))
        #expect(listed.count == 1)
        #expect(listed.first?.title == "a \"b\"" && listed.first?.file == "a \"b\".txt")
        // Line endings are those of the editor.
        #expect(listed.first?.text == text.replacing("\r\n", with: "\n"))
        #expect(listed.first?.pinned == false)
        // Times of files are rounded.
        let now = Int(Date().timeIntervalSince1970)
        #expect((utc - 1...now + 1).contains(listed.first?.modified ?? 0))
      }
      let none = try await notes("search", "x", "--json", "-f", "\(home)/n", home: home)
      #expect(none == Outcome(status: 1, output: "[]\n", errors: ""))
    }
  }

  @Test func exitStatusDistinguishesErrors() async throws {
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

  /// A folder can be opened as standard input, but not read.
  @Test func unreadableInputCreatesNoNote() async throws {
    try await Program.withHome { home in
      let outcome = try await Program.run(
        ["-c", "'\(Program.path)' new Milk </"], of: "/bin/sh", environment: ["HOME": home])
      #expect(outcome.status == 3)
      #expect(outcome.errors.hasPrefix("notes: \"the standard input\" is a folder"))
      #expect(!FileManager.default.fileExists(atPath: "\(home)/Notes"))
    }
  }

  /// The caller has made standard input and output non-blocking.
  @Test func nonBlockingInputAndOutputAreComplete() async throws {
    try await Program.withHome { home in
      func start(_ arguments: String..., setUp: (Process) -> Void) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Program.path)
        process.arguments = arguments
        process.environment = ["HOME": home]
        setUp(process)
        try process.run()
        return process
      }
      func waiting(_ pipe: Pipe) -> Int {
        var count: Int32 = 0
        _ = ioctl(pipe.fileHandleForReading.fileDescriptor, UInt(FIONREAD), &count)
        return Int(count)
      }
      let (input, output) = (Pipe(), Pipe())
      _ = fcntl(input.fileHandleForReading.fileDescriptor, F_SETFL, O_NONBLOCK)
      _ = fcntl(output.fileHandleForWriting.fileDescriptor, F_SETFL, O_WRONLY | O_NONBLOCK)
      let text = String(repeating: "two bottles\n", count: 20_000)
      let writer = try start("new", "Milk") { $0.standardInput = input }
      try input.fileHandleForWriting.write(contentsOf: Data(text.utf8.prefix(100)))
      while waiting(input) > 0 { await Task.yield() }
      try input.fileHandleForWriting.write(contentsOf: Data(text.utf8.dropFirst(100)))
      try input.fileHandleForWriting.close()
      writer.waitUntilExit()
      #expect(writer.terminationStatus == 0)
      let reader = try start("show", "Milk") { $0.standardOutput = output }
      // Wait until the pipe is full.
      while waiting(output) < 65_536 && reader.isRunning { await Task.yield() }
      let shown = output.fileHandleForReading.readDataToEndOfFile()
      reader.waitUntilExit()
      #expect(shown == Data(text.utf8) && reader.terminationStatus == 0)
    }
  }

  @Test func writeErrorOfOutputFails() async throws {
    try await Program.withHome { home in
      try await notes("new", "Milk", "one", home: home)
      let outcome = try await Program.run(
        ["-c", "'\(Program.path)' list >/dev/full 2>/dev/null"], of: "/bin/sh",
        environment: ["HOME": home])
      #expect(outcome.status == 3)
    }
  }

  @Test func helpHasSectionsOfManualPage() async throws {
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
