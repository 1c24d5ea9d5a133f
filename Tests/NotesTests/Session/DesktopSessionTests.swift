#if DBus
import Foundation
import RunnelDBus
import RunnelTesting
import TestSupport
import Testing

/// The program with a desktop: a bus, a service of notifications, and logind.
@Suite(.serialized) struct DesktopSessionTests {
  /// Runs the program in a terminal, with a desktop.
  private func withNotes(
    _ arguments: String = "", _ body: @escaping @Sendable (DesktopStage, Tmux) -> Void
  ) async {
    await withDesktop { stage in
      let done = EventLog<Void>()
      Task {
        let script = "'\(Program.path)' \(arguments) --folder '\(stage.notes)'; echo \"status $?\""
        await withTmux(environment: stage.environment, script) { tmux in
          tmux.wait(forText: "2 notes")
          body(stage, tmux)
        }
        done.add(())
      }
      done.wait(for: 1)
    }
  }

  @Test func secondStartShowsNoteInFirst() async {
    await withNotes { stage, tmux in
      let (status, output) = stage.run(["open", "tea", "--folder", stage.notes])
      #expect(status == 0)
      #expect(output == ["Another window has the notes of \(stage.notes)."])
      tmux.wait(forText: "green")
      // A link to the folder leads to the same process.
      symlink(stage.notes, stage.home["link"])
      #expect(stage.run([stage.home["link"]]).status == 0)
      // The shell has changed the folder before, and the first process may not know it yet.
      _ = stage.run(["new", "Bread", "two loaves", "--folder", stage.notes])
      #expect(stage.run(["open", "Bread", "--folder", stage.notes]).status == 0)
      tmux.wait(forText: "two loaves")
      let (failed, _) = stage.run(["open", "Coffee", "--folder", stage.notes])
      #expect(failed == 1)
      tmux.type("C-q")
      tmux.wait(forText: "status 0")
    }
  }

  @Test func firstStartOpensNote() async {
    await withNotes("open Tea") { _, tmux in
      tmux.wait(forText: "green")
      tmux.type("C-q")
      tmux.wait(forText: "status 0")
    }
  }

  /// The process is stopped by its terminal, so that it answers no request.
  @Test func stoppedProcessIsNotWaitedFor() async {
    await withNotes { stage, tmux in
      let process = tmux.value("#{pane_pid}")
      let first = stage.home["first"]
      tmux.run(["run-shell", "pgrep -P \(process) notes > \(first)"])
      let number = (try? String(contentsOfFile: first, encoding: .utf8)) ?? ""
      guard let first = pid_t(number.trimmingCharacters(in: .whitespacesAndNewlines)) else {
        Issue.record("\(number) is no process.")
        return
      }
      kill(first, SIGSTOP)
      // It goes on alone, and ends because it has no terminal.
      #expect(stage.run([stage.notes]).status == 3)
      kill(first, SIGCONT)
      tmux.type("C-q")
      tmux.wait(forText: "status 0")
    }
  }

  @Test(arguments: ["sleep", "shutdown"]) func machineWaitsForDrafts(_ activity: String) async {
    await withNotes { stage, tmux in
      let locks = ["delay shutdown Notes", "delay sleep Notes"]
      #expect(stage.log.wait(for: 2).sorted() == locks)
      tmux.type("Bread", "Enter")
      tmux.wait(forText: "3 notes")
      // It takes half a second until typed text is saved, and the lock must be held so long.
      tmux.type("flour")
      tmux.wait(forText: "flour")
      stage.loop.wait {
        let services = stage.services.value
        (activity == "sleep" ? services.sleep : services.shutdown).next(true)
      }
      stage.waitForRelease(of: activity)
      #expect(stage.text(of: "Bread.txt") == "flour")
      stage.loop.wait {
        let services = stage.services.value
        (activity == "sleep" ? services.sleep : services.shutdown).next(false)
      }
      #expect(stage.log.wait(for: 3).last == "delay \(activity) Notes")
      tmux.type("C-q")
      tmux.wait(forText: "status 0")
    }
  }

  @Test func conflictIsNotificationThatOpensOtherText() async {
    await withNotes { stage, tmux in
      stage.log.wait(for: 2)
      tmux.type("Milk", "Enter")
      tmux.wait(forText: "two bottles")
      // The app may have saved its text before the other text is written, or read the other one before the keys. Then there is no
      // conflict.
      for attempt in 1...20 where !stage.log.all.contains(where: { $0.hasPrefix("Milk") }) {
        tmux.type("C-a", "mine")
        stage.home.write("notes/Milk.txt", "theirs \(attempt)\n")
        tmux.wait { lines in
          lines.contains { $0.contains("(confli") }
            || Self.shows("theirs \(attempt)", lines) && stage.text(of: "Milk.txt") != "mine"
            || Self.shows("mine", lines) && stage.text(of: "Milk.txt") == "mine"
              && lines.contains { $0.contains("changed elsewhere") }
        }
      }
      let title = stage.log.wait { $0.contains { $0.hasPrefix("Milk was changed twice.") } }.last
      #expect(title?.contains(#"["default", "Open", "open", "Open"]"#) == true)
      tmux.type("Escape", "Escape")
      tmux.type("Tea", "Enter")
      tmux.wait(forText: "green")
      stage.loop.wait { stage.services.value.invoked.next((1, "open")) }
      tmux.wait { Self.shows("theirs", $0) }
      tmux.type("C-q")
      tmux.wait(forText: "status 0")
      stage.log.wait { $0.last == "close 1" }
    }
  }

  @Test func installedFilesStartSearch() async {
    await withDesktop { stage in
      let (script, program) = (Self.installer, Program.path)
      withProcessHere(
        ["/bin/bash", script, stage.home.path, program], environment: ["PATH": "/usr/bin:/bin"]
      ) { #expect($0.wait() == .exit(0)) }
      for file in [
        "applications/org.runnel.Notes.desktop", "icons/hicolor/scalable/apps/org.runnel.Notes.svg",
        "gnome-shell/search-providers/org.runnel.Notes.search-provider.ini",
      ] {
        #expect(FileManager.default.fileExists(atPath: stage.home["share/\(file)"]), "\(file)")
      }
      rename(stage.notes, stage.home["Notes"])
      let results = EventLog<String>()
      let search = "org.gnome.Shell.SearchProvider2"
      stage.loop.wait {
        guard let bus = stage.bus.value else { return }
        func method(_ name: String) -> BusMethod {
          BusMethod(
            name, of: search, at: "/org/runnel/Notes/Search", from: "org.runnel.Notes.Search")
        }
        // The bus has looked for services before the files were installed.
        let reload = BusMethod(
          "ReloadConfig", of: "org.freedesktop.DBus", at: "/org/freedesktop/DBus",
          from: "org.freedesktop.DBus")
        bus.call(reload).flatMap { _ in bus.call(method("GetInitialResultSet"), with: ["GREEN"]) }
          .flatMap { body in
            results.add("\((try? body.value(as: [String].self)) ?? [])")
            return bus.call(method("GetResultMetas"), with: ["Tea.txt"])
          }
          .observe(
            succeeded: { body in
              let metas = try? body.value(as: [[String: Variant]].self)
              let name = metas?.first?["name"]?[String.self]
              results.add(name ?? "none")
            }, failed: { results.add("\($0)") })
      }
      #expect(results.wait(for: 2) == [#"["Tea.txt"]"#, "Tea"])
    }
  }

  /// True if the editor shows a text.
  private static func shows(_ text: String, _ lines: [String]) -> Bool {
    lines.contains { $0.split(separator: "│").dropFirst().contains { $0.contains(text) } }
  }

  private static let installer = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Samples/Notes/Desktop/install").path()
}
#endif
