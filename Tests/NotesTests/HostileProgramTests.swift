import Foundation
import Glibc
import Runnel
import Testing

/// The program itself among things that nobody wants.
@Suite(.timeLimit(.minutes(3))) struct HostileProgramTests {
  @Test func theShellIsShownNoSuchThings() async throws {
    try await Program.withHome { home in
      let name = "\u{1B}[2J\nx\u{9B}.txt"
      try FileManager.default.createDirectory(
        atPath: "\(home)/Notes", withIntermediateDirectories: true)
      try SafeFile("\(home)/Notes/\(name)").create([0x1B])
      mkfifo("\(home)/Notes/pipe.txt", 0o666)
      func run(_ arguments: String...) async throws -> Program.Outcome {
        try await Program.run(arguments, environment: ["HOME": home])
      }
      #expect(try await run("list").output == "\u{FFFD}[2J\u{FFFD}x\u{FFFD}\n")
      let json = try await run("list", "--json").output
      #expect(json.contains("\\u001b[2J\\u000ax") && !json.contains("\u{1B}"))
      // As it is: it may be what somebody wants.
      #expect(try await run("show", name).output == "\u{1B}")
      for arguments in [
        ["new", "a", "b", "\u{1B}"], ["\u{1B}"], ["-\u{1B}"], ["-f", "\u{1B}", "list"],
      ] {
        let outcome = try await Program.run(arguments, environment: ["HOME": home])
        #expect(outcome.status >= 2 && !outcome.errors.contains("\u{1B}"), "\(arguments)")
      }
    }
  }

  /// The superuser may write to all: then somebody else runs the program.
  @Test func aLockedNoteCanBeLookedAtOnly() async throws {
    try await Program.withHome { home in
      let notes = "\(home)/notes"
      try FileManager.default.createDirectory(atPath: notes, withIntermediateDirectories: true)
      try SafeFile("\(notes)/Milk.txt").create(Array("two bottles".utf8), mode: 0o444)
      let script = """
        expect "1 note"
        type Milk
        key enter
        expect "read only"
        type "typed"
        advance 5s
        settle
        expect "│two bottles"
        refuse "typed"
        expect-file Milk.txt "two bottles"
        key escape escape ctrl+n
        type "mine"
        advance 1s
        expect-file Untitled.txt "mine"
        key ctrl+q
        expect-end
        """
      try script.write(toFile: "\(home)/script", atomically: true, encoding: .utf8)
      for path in [home, notes] { chmod(path, 0o777) }
      let program = ["--headless", "--script", "\(home)/script", notes]
      let nobody = ["--reuid=65534", "--regid=65534", "--clear-groups", Program.path]
      let outcome = try await Program.run(
        geteuid() == 0 ? nobody + program : program,
        of: geteuid() == 0 ? "/usr/bin/setpriv" : Program.path, environment: ["HOME": home])
      #expect(outcome == Program.Outcome(status: 0, output: "", errors: ""))
    }
  }

  /// The process is killed while it saves again and again: the note is whole, and all that is left
  /// behind is cleared away by the next one.
  @Test func aNoteIsWholeWhenTheAppIsKilled() async throws {
    try await Program.withHome { home in
      try FileManager.default.createDirectory(
        atPath: "\(home)/notes", withIntermediateDirectories: true)
      try Data().write(to: URL(fileURLWithPath: "\(home)/notes/a.txt"))
      let step = "type \"\(String(repeating: "x", count: 19))\\n\"\nadvance 1s\nsettle\n"
      let script = "expect \"1 note\"\nkey ctrl+j enter ctrl+end\n"
      try Data((script + String(repeating: step, count: 200)).utf8)
        .write(to: URL(fileURLWithPath: "\(home)/script"))
      try Data(script.utf8).write(to: URL(fileURLWithPath: "\(home)/none"))
      let start = "'\(Program.path)' notes --headless --script"
      for round in 1...5 {
        let commands = """
          cd '\(home)'
          size=$(wc -c <notes/a.txt)
          \(start) script & process=$!
          until [ $(wc -c <notes/a.txt) -gt $((size + \(round * 50))) ] || ! kill -0 $process; do :; done
          kill -9 $process
          wait $process
          """
        _ = try await Program.run(["-c", commands], of: "/bin/bash", environment: ["HOME": home])
        let text = try String(contentsOfFile: "\(home)/notes/a.txt", encoding: .utf8)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count > round && lines.last == "", "round \(round)")
        #expect(lines.dropLast().allSatisfy { $0 == String(repeating: "x", count: 19) })
        let outcome = try await Program.run(
          ["-c", "cd '\(home)'\n\(start) none"], of: "/bin/bash", environment: ["HOME": home])
        #expect(outcome == Program.Outcome(status: 0, output: "", errors: ""))
        let names = try FileManager.default.contentsOfDirectory(atPath: "\(home)/notes")
        #expect(names == ["a.txt"], "round \(round)")
      }
    }
  }
}
