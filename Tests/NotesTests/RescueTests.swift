import Foundation
import Testing

/// Unsaved text when the program ends: it is saved elsewhere, or reported as lost.
@Suite struct RescueTests {
  /// Runs shell commands in a home folder with one note. In the commands, `$notes` runs the program
  /// with the script.
  private func run(
    _ commands: String, typing script: String, state: Bool = true,
    _ body: (Program.Outcome, String) throws -> Void
  ) async throws {
    try await Program.withHome { home in
      try FileManager.default.createDirectory(
        atPath: "\(home)/notes/folder", withIntermediateDirectories: true)
      try "one\r\ntwo".write(toFile: "\(home)/notes/Milk.txt", atomically: true, encoding: .utf8)
      try script.write(toFile: "\(home)/script", atomically: true, encoding: .utf8)
      var environment = ["HOME": home, "XDG_DATA_HOME": "\(home)/data", "TMPDIR": home]
      if state { environment["XDG_STATE_HOME"] = "\(home)/state" }
      let start =
        "notes=\"'\(Program.path)' --headless --script '\(home)/script' '\(home)/notes'\"\n"
      let outcome = try await Program.run(
        ["-c", "cd '\(home)'\n\(start)\(commands)"], of: "/bin/bash", environment: environment)
      try body(outcome, home)
    }
  }

  private static func text(_ path: String) -> String? {
    (try? Data(contentsOf: URL(fileURLWithPath: path))).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns commands that run the program, wait until the script has typed, run `command`, and
  /// send a signal.
  private static func end(by signal: String, after command: String = "") -> String {
    """
    eval "$notes &"
    process=$!
    until [ -e is-typed ] || ! kill -0 $process; do sleep 0.01; done
    \(command)
    kill -\(signal) $process
    wait $process
    """
  }

  /// A script for ``end(by:after:)``. The expectation at its end is never met.
  private static let endless = typing + "picture ../is-typed\nexpect \"never\"\n"

  private static let typing = """
    expect "1 note"
    type Milk
    key enter
    type "typed "

    """

  /// The folder is removed before the signal arrives.
  @Test(arguments: ["TERM", "HUP"])
  func signalRescuesTextWithoutFolder(_ signal: String) async throws {
    let commands = Self.end(by: signal, after: "rm -r notes")
    try await run(commands, typing: Self.endless) { outcome, home in
      #expect(outcome.status == 3)
      let path = "\(home)/state/notes/Milk.txt"
      #expect(outcome.errors.contains("notes: \"Milk\" is not saved, but is in \"\(path)\"."))
      #expect(Self.text(path) == "typed one\r\ntwo")
      #expect(!FileManager.default.fileExists(atPath: "\(home)/notes"))
    }
  }

  /// Text is saved in the folder if that is possible.
  @Test(arguments: ["TERM", "HUP"])
  func signalSavesText(_ signal: String) async throws {
    try await run(Self.end(by: signal), typing: Self.endless) { _, home in
      #expect(Self.text("\(home)/notes/Milk.txt") == "typed one\r\ntwo")
      #expect(!FileManager.default.fileExists(atPath: "\(home)/state"))
    }
  }

  /// A folder is in the way of the note.
  @Test(arguments: [true, false]) func endOfScriptRescuesUnsavedText(_ hasState: Bool) async throws
  {
    let script = Self.typing + "remove Milk.txt\nmove folder Milk.txt\n"
    try await run("eval \"$notes\"", typing: script, state: hasState) { outcome, home in
      #expect(outcome.status == 3)
      let state = hasState ? "\(home)/state" : "\(home)/.local/state"
      let path = "\(state)/notes/Milk.txt"
      #expect(outcome.errors.contains("is in \"\(path)\". \"\(home)/notes/Milk.txt\" is a folder"))
      #expect(Self.text(path) == "typed one\r\ntwo")
    }
  }

  /// The pinned notes are saved too.
  @Test(arguments: [nil, "TERM", "HUP"] as [String?])
  func unsavedSettingsAreRescued(_ signal: String?) async throws {
    let pinning = "expect \"1 note\"\nmove folder .notes-settings\nkey ctrl+j alt+p\nsettle\n"
    let commands = signal.map { Self.end(by: $0) } ?? "eval \"$notes\""
    let rest = signal == nil ? "" : "picture ../is-typed\nexpect \"never\"\n"
    try await run(commands, typing: pinning + rest) { outcome, home in
      #expect(outcome.status == 3)
      let path = "\(home)/state/notes/.notes-settings"
      #expect(outcome.errors.contains("notes-settings\" is not saved, but is in \"\(path)\""))
      #expect(Self.text(path)?.contains("pinned = Milk.txt\n") == true)
      #expect(Self.text("\(home)/notes/Milk.txt") == "one\r\ntwo")
    }
  }

  @Test func lossIsReportedWhenRescueFails() async throws {
    try await run("ulimit -f 0\neval \"$notes\"", typing: Self.typing) { outcome, home in
      #expect(outcome.status == 3)
      #expect(outcome.errors.contains("\"Milk\" is not saved: its new contents are lost. \""))
      #expect(outcome.errors.contains("would be larger than is allowed"))
      #expect(Self.text("\(home)/notes/Milk.txt") == "one\r\ntwo")
      let names = try FileManager.default.contentsOfDirectory(atPath: "\(home)/notes")
      #expect(names.sorted() == ["Milk.txt", "folder"])
      #expect(!FileManager.default.fileExists(atPath: "\(home)/state/notes"))
    }
  }

  @Test func quittingWithUnsavedTextRescuesIt() async throws {
    let script =
      Self.typing + """
        remove Milk.txt
        move folder Milk.txt
        key ctrl+q
        expect "Not all is saved"
        expect "put where there is room"
        key escape
        expect "typed one"
        key ctrl+q
        expect "Not all is saved"
        key tab enter
        expect-end
        """
    try await run("eval \"$notes\"", typing: script) { outcome, home in
      #expect(outcome.status == 3)
      #expect(outcome.errors.contains("is in \"\(home)/state/notes/Milk.txt\""))
    }
  }
}
