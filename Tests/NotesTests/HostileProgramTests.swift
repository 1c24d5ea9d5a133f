import Foundation
import Glibc
import Runnel
import RunnelTesting
import Testing

/// The program with unusual files and arguments.
@Suite struct HostileProgramTests {
  @Test func outputEscapesControlCharacters() async throws {
    try await Program.withHome { home in
      let name = "\u{1B}[2J\nx\u{9B}.txt"
      try FileManager.default.createDirectory(
        atPath: "\(home)/Notes", withIntermediateDirectories: true)
      let text = "\u{1B}\u{85}\u{9B}\u{202E}\u{2066}\u{2028}\u{7F}"
      try SafeFile("\(home)/Notes/\(name)").create(Array(text.utf8))
      mkfifo("\(home)/Notes/pipe.txt", 0o666)
      func run(_ arguments: String...) async throws -> Program.Outcome {
        try await Program.run(arguments, environment: ["HOME": home])
      }
      #expect(try await run("list").output == "\u{FFFD}[2J\u{FFFD}x\u{FFFD}\n")
      for arguments in [["list", "--json"], ["show", name, "--json"], ["search", "x", "--json"]] {
        let json = try await Program.run(arguments, environment: ["HOME": home]).output
        #expect(json.contains("\\u001b[2J\\u000ax\\u009b.txt"))
        #expect(json.contains("\"\\u001b\\u0085\\u009b\\u202e\\u2066\\u2028\\u007f\""))
        #expect(json.replacing("\n", with: "").printable == json.replacing("\n", with: ""))
      }
      // `show` writes the bytes unchanged: the user may want exactly these.
      #expect(try await run("show", name).output == text)
      for arguments in [
        ["new", "a", "b", "\u{1B}"], ["\u{1B}"], ["-\u{1B}"], ["-f", "\u{1B}", "list"],
      ] {
        let outcome = try await Program.run(arguments, environment: ["HOME": home])
        #expect(outcome.status >= 2 && !outcome.errors.contains("\u{1B}"), "\(arguments)")
      }
    }
  }

  /// Sparse files occupy no space on disk, but would exceed the memory.
  @Test func hugeFilesAreNotRead() async throws {
    try await Program.withHome { home in
      let notes = "\(home)/Notes"
      try FileManager.default.createDirectory(atPath: notes, withIntermediateDirectories: true)
      for name in [
        "big.txt", ".notes-settings", ".runnel-new-1", ".runnel-old-3.1-4.2-5-a.txt",
      ] {
        try SafeFile("\(notes)/\(name)").create([1, 2, 3])
        #expect(truncate("\(notes)/\(name)", 100 << 30) == 0)
      }
      try SafeFile("\(notes)/small.txt").create(Array("small".utf8))
      func run(_ arguments: String...) async throws -> Program.Outcome {
        try await Program.run(arguments, environment: ["HOME": home])
      }
      #expect(try await run("list").output.split(separator: "\n").sorted() == ["big", "small"])
      #expect(try await run("list", "--json").status == 0)
      #expect(try await run("search", "small").output == "small\n")
      let shown = try await run("show", "big")
      #expect(shown.status == 3 && shown.errors.contains("is larger than 10 MB"))
      let script = "\(home)/script"
      try SafeFile(script).create(Array("settle\nexpect \"a (conflict)\"\nexpect \"small\"\n".utf8))
      let app = try await run("--headless", "--script", script)
      #expect(app == Program.Outcome(status: 0, output: "", errors: ""))
      let names = try FileManager.default.contentsOfDirectory(atPath: notes).sorted()
      #expect(names == [".notes-settings", "a (conflict).txt", "big.txt", "small.txt"])
      // Standard input may be endless.
      let endless = try await Program.run(
        ["-c", "exec '\(Program.path)' new endless < /dev/zero"], of: "/bin/sh",
        environment: ["HOME": home])
      #expect(endless.status == 3 && endless.errors.contains("the standard input"))
    }
  }

  /// With replacement characters, such an argument would name another file.
  @Test func argumentsThatAreNotUTF8AreRejected() async throws {
    try await Program.withHome { home in
      let name = "\(home)/x$(printf '\\377')"
      for command in [
        "'\(Program.path)' new -f \"\(name)\" a b", "'\(Program.path)' new a \"\(name)\"",
        "HOME=\"\(name)\" '\(Program.path)' new a b",
      ] {
        let outcome = try await Program.run(
          ["-c", command], of: "/bin/sh", environment: ["HOME": home, "PATH": "/usr/bin:/bin"])
        #expect(outcome.status == 2 && outcome.errors.contains("is not UTF-8"), "\(outcome)")
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: home) == [])
    }
  }

  /// The superuser may write everything, so the program runs as another user.
  @Test func noteWithoutWritePermissionIsReadOnly() async throws {
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

  /// A key takes 70 ms of the clock of the script. The file `.typed N` appears when the clock has shown the Nth
  /// key for as long, and what was due to be saved by then is saved. 50 runs with `RUNNEL_CASES=25`.
  @Test(
    "A killed process loses the keys of half a second at most, and no part of the file",
    arguments: seeds(2) as Range<UInt64>)
  func killWhileTypingLosesHalfASecond(_ seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let (milliseconds, last) = (70, Int.random(in: 1...120, using: &generator))
    let keys = (1...200).map { String($0 % 10) }
    try await Program.withHome { home in
      try FileManager.default.createDirectory(
        atPath: "\(home)/notes", withIntermediateDirectories: true)
      try Data().write(to: URL(fileURLWithPath: "\(home)/notes/a.txt"))
      let start = "expect \"1 note\"\nkey ctrl+j enter\n"
      let steps = keys.enumerated().map { index, key in
        """
        type \(key)
        advance \(milliseconds)ms
        settle
        write ".typed \(index + 1)" ""

        """
      }
      try Data((start + steps.joined()).utf8).write(to: URL(fileURLWithPath: "\(home)/script"))
      try Data(start.utf8).write(to: URL(fileURLWithPath: "\(home)/none"))
      let program = "'\(Program.path)' notes --headless --script"
      let commands = """
        cd '\(home)'
        \(program) script & process=$!
        until [ -e 'notes/.typed \(last)' ] || ! kill -0 $process; do :; done
        kill -9 $process
        wait $process
        """
      let killed = try await Program.run(
        ["-c", commands], of: "/bin/bash", environment: ["HOME": home])
      #expect(killed.status == 128 + SIGKILL, "\(killed)")
      let found = try FileManager.default.contentsOfDirectory(atPath: "\(home)/notes")
      let typed = found.count { $0.hasPrefix(".typed") }
      let text = try String(contentsOfFile: "\(home)/notes/a.txt", encoding: .utf8)
      #expect(typed >= last && typed < keys.count)
      #expect(keys.joined().hasPrefix(text))
      #expect((typed - text.count) * milliseconds <= 500, "\(text.count) of \(typed)")
      // The next process removes temporary files.
      let next = try await Program.run(
        ["-c", "cd '\(home)'\n\(program) none"], of: "/bin/bash", environment: ["HOME": home])
      #expect(next == Program.Outcome(status: 0, output: "", errors: ""))
      let names = try FileManager.default.contentsOfDirectory(atPath: "\(home)/notes")
      #expect(names.filter { !$0.hasPrefix(".typed") }.sorted() == [".notes-settings", "a.txt"])
      #expect(try String(contentsOfFile: "\(home)/notes/a.txt", encoding: .utf8) == text)
    }
  }
}
