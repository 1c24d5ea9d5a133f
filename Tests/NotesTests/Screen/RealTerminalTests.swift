import Foundation
import RunnelTesting
import TestSupport
import Testing

/// The program in a real terminal (tmux).
@Suite(.serialized) struct RealTerminalTests {
  /// The state after the program has ended.
  private struct Remains {
    var lines: [String] = []
    var flags = ""
    var file: String?
  }

  /// A shell script that runs the program, writes its process number to a file, and prints its exit
  /// status.
  private static func script(_ home: String) -> String {
    """
    printf 'outside\\n'; stty -a > before
    sh -c 'echo $$ > stopped; exec "$0" "$1"' '\(Program.path)' '\(home)/notes'
    status=$?; tmux wait-for -S ended; tmux wait-for go
    printf 'status %s\\n' $status; stty -a > after; tmux wait-for -S over
    """
  }

  /// Runs the program with some notes, performs a user's actions, and returns the final state.
  private func remains(
    files: [String: Data] = ["Milk.txt": Data("two bottles\n".utf8), "Tea.txt": Data()],
    _ person: @escaping @Sendable (Tmux) -> Void
  ) async throws -> Remains {
    var remains = Remains()
    try await Program.withHome { home in
      try FileManager.default.createDirectory(
        atPath: "\(home)/notes", withIntermediateDirectories: true)
      for (name, bytes) in files {
        try bytes.write(to: URL(fileURLWithPath: "\(home)/notes/\(name)"))
      }
      // An editor that appends a line which the user types.
      let editor = "echo editing; read text; printf '%s' \"$text\" >> \"$1\""
      try editor.write(toFile: "\(home)/edit", atomically: true, encoding: .utf8)
      let environment = [
        "HOME": home, "XDG_DATA_HOME": "\(home)/data", "EDITOR": "sh \(home)/edit",
      ]
      let (lines, flags) = await withTmux(environment: environment, Self.script(home)) { tmux in
        tmux.wait(forText: "\(files.count) note")
        person(tmux)
        tmux.wait(for: "ended")
        // After a kill, the guardian process restores what the shell does not.
        tmux.wait(forTitle: "outside")
        tmux.signal("go")
        tmux.wait(for: "over")
        let isAsBefore = tmux.text(of: "after") == tmux.text(of: "before")
        let flags = "#{alternate_on} #{cursor_flag} #{wrap_flag} #{mouse_any_flag}"
        return (tmux.lines, "\(tmux.value(flags)) \(isAsBefore) \(tmux.value("#{pane_title}"))")
      }
      let file = "\(home)/notes/Bread.txt"
      remains = Remains(
        lines: lines, flags: flags, file: try? String(contentsOfFile: file, encoding: .utf8))
      for (name, bytes) in files {
        #expect(try Data(contentsOf: URL(fileURLWithPath: "\(home)/notes/\(name)")) == bytes)
      }
    }
    return remains
  }

  private func expectRestored(_ remains: Remains, status: Int) {
    #expect(remains.lines.first == "outside")
    // The terminal may have echoed a key before it.
    #expect(remains.lines.contains { $0.hasSuffix("status \(status)") }, "\(remains.lines)")
    #expect(remains.flags == "0 1 1 0 true outside")
  }

  /// Waits until the list shows typed text, which happens when it has been saved.
  private func waitUntilListed(_ text: String, _ tmux: Tmux) {
    tmux.wait { $0.contains { $0.prefix { $0 != "│" }.contains(text) } }
  }

  @Test func userFindsCreatesAndEditsNotes() async throws {
    let remains = try await remains { tmux in
      tmux.type("bottles")
      let found = tmux.wait(forText: "1 of 2 notes")
      #expect(found.contains { $0.contains("Milk") } && !found.contains { $0.contains("Tea") })
      tmux.type("Escape")
      tmux.wait(forText: "1 of 2 notes", isShown: false)
      tmux.type("Bread", "Enter")
      tmux.wait(forText: "3 notes")
      tmux.type("flour", "Enter", "salt")
      waitUntilListed("flour", tmux)
      tmux.wait(forText: "salt")
      tmux.type("C-q")
    }
    expectRestored(remains, status: 0)
    #expect(remains.file == "flour\nsalt")
  }

  @Test func externalEditorUsesTerminal() async throws {
    let remains = try await remains { tmux in
      tmux.type("Bread", "Enter")
      tmux.wait(forText: "3 notes")
      tmux.type("flour, ", "C-o")
      tmux.wait(forText: "editing")
      tmux.type("salt", "Enter")
      tmux.wait(forText: "Edited Bread")
      tmux.type("C-End", "!")
      tmux.wait(forText: "flour, salt!")
      tmux.type("C-q")
    }
    expectRestored(remains, status: 0)
    #expect(remains.file == "flour, salt!")
  }

  /// The keys end only the editor, and the app shows its screen again.
  @Test(arguments: ["C-c", "C-\\"]) func interruptEndsOnlyExternalEditor(_ key: String) async throws
  {
    let remains = try await remains { tmux in
      tmux.type("Bread", "Enter")
      tmux.wait(forText: "3 notes")
      tmux.type("flour", "C-o")
      tmux.wait(forText: "editing")
      tmux.type(key)
      tmux.wait(forText: "A signal ended the editor.")
      tmux.type("!")
      tmux.wait(forText: "flour!")
      tmux.type("C-q")
    }
    expectRestored(remains, status: 0)
    #expect(remains.file == "flour!")
  }

  /// Text is saved immediately, without the usual delay.
  @Test(arguments: ["TERM", "HUP", "INT"])
  func signalSavesTextAndRestoresTerminal(_ signal: String) async throws {
    let remains = try await remains { tmux in
      tmux.type("Bread", "Enter")
      tmux.wait(forText: "3 notes")
      tmux.type("flour")
      tmux.wait(forText: "flour")
      tmux.run(["run-shell", "kill -\(signal) \(tmux.text(of: "stopped"))"])
    }
    expectRestored(remains, status: 0)
    #expect(remains.file == "flour")
  }

  /// Saved text remains, and the screen is restored.
  @Test func killKeepsSavedTextAndRestoresTerminal() async throws {
    let remains = try await remains { tmux in
      tmux.type("Bread", "Enter")
      tmux.wait(forText: "3 notes")
      tmux.type("flour")
      waitUntilListed("flour", tmux)
      tmux.run(["run-shell", "kill -KILL \(tmux.text(of: "stopped"))"])
    }
    expectRestored(remains, status: 137)
    #expect(remains.file == "flour")
  }

  /// The terminal window is closed: there is no screen to restore, but text is saved.
  @Test func closingTerminalSavesText() async throws {
    try await Program.withHome { home in
      // The FIFO has no writer when the program and all its child processes have ended.
      let fifo = "\(home)/running"
      #expect(mkfifo(fifo, 0o600) == 0)
      let end = open(fifo, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      defer { close(end) }
      let script = "mkdir '\(home)/notes'; exec '\(Program.path)' '\(home)/notes' 9> '\(fifo)'"
      await withTmux(environment: ["HOME": home], script) { tmux in
        tmux.wait(forText: "0 notes")
        tmux.type("Bread", "Enter")
        tmux.wait(forText: "1 note")
        tmux.type("flour")
        tmux.wait(forText: "flour")
      }
      await ManualContext.onThread { _ in waitForLastWriter(of: fifo, end) }
      let text = try String(contentsOfFile: "\(home)/notes/Bread.txt", encoding: .utf8)
      #expect(text == "flour")
    }
  }

  /// Waits until no process has a FIFO open for writing. Reports the processes that have it open after
  /// a minute.
  private func waitForLastWriter(of path: String, _ end: Int32) {
    var state = pollfd(fd: end, events: Int16(POLLIN), revents: 0)
    var count: Int32
    repeat { count = poll(&state, 1, 60_000) } while count < 0 && errno == EINTR
    if count > 0 { return }
    let files = FileManager.default
    let processes = (try? files.contentsOfDirectory(atPath: "/proc")) ?? []
    let running = processes.filter { process in
      let descriptors = (try? files.contentsOfDirectory(atPath: "/proc/\(process)/fd")) ?? []
      return process != "self"
        && descriptors.contains {
          (try? files.destinationOfSymbolicLink(atPath: "/proc/\(process)/fd/\($0)")) == path
        }
    }
    let states = running.filter { $0 != "\(getpid())" }.map { process in
      ["comm", "status", "wchan", "syscall"].map {
        let text = try? String(contentsOfFile: "/proc/\(process)/\($0)", encoding: .utf8)
        return "\(process) \($0): \(text ?? "unknown")"
      }.joined(separator: "\n")
    }
    Issue.record("These processes still run:\n\(states.joined(separator: "\n"))")
  }

  /// A note that is not UTF-8 can be read. Neither typing nor quitting changes it.
  @Test func noteThatIsNotUTF8CannotBeEdited() async throws {
    let bytes = Data([0x62, 0x61, 0x64, 0xFF, 0x0A])
    let remains = try await remains(files: ["Bad.txt": bytes]) { tmux in
      tmux.type("Bad", "Enter")
      tmux.wait(forText: "not UTF-8, read only")
      // Typed text is rejected; the key after it is handled.
      tmux.type("xyz", "C-n")
      let shown = tmux.wait(forText: "2 notes")
      #expect(!shown.contains { $0.contains("xyz") }, "\(shown)")
      tmux.type("C-q")
    }
    expectRestored(remains, status: 0)
  }

  /// A title that is taken is rejected, and the alert stays open.
  @Test func renameToTakenTitleIsRejected() async throws {
    let remains = try await remains { tmux in
      tmux.type("C-j")
      tmux.type("F2")
      let question = tmux.wait(forText: "Rename ")
      let other = question.contains { $0.contains("Rename Tea") } ? "Milk" : "Tea"
      tmux.type("C-a", other, "Enter")
      tmux.wait(forText: "there is already a note called")
      #expect(tmux.lines.contains { $0.contains("Cancel") })
      tmux.type("Escape")
      tmux.wait(forText: "Cancel", isShown: false)
      tmux.type("C-q")
    }
    expectRestored(remains, status: 0)
  }
}
