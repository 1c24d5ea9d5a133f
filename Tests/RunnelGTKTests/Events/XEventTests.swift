#if GTK
import Foundation
import RunnelTesting
import TestSupport
import Testing

extension GTKTests {
  /// Real events of the X server, sent to the program Notes. The files of its folder tell what it did.
  @Suite(.enabled(if: NotesProgram.canSendEvents, "Xvfb or xdotool is missing.")) struct XEventTests
  {
    private func withNotes(
      _ notes: [String: String] = [
        "Apple.txt": "red", "Banana.txt": "yellow", "Cherry.txt": "dark",
      ],
      scale: Int = 1, hasHeaderBar: Bool = false,
      _ body: @escaping @Sendable (NotesProgram) throws -> Void
    ) async throws {
      try await ManualContext.onThread { _ in
        Result {
          let program = try NotesProgram(notes, scale: scale, hasHeaderBar: hasHeaderBar)
          defer { program.end() }
          try program.waitForWindow()
          if !notes.isEmpty { try program.selectFirstNote() }
          try body(program)
          // It saves and ends without complaint.
          try program.press("ctrl+q")
          let (status, errors) = try program.waitForExit()
          #expect(status == 0)
          #expect(errors == "")
        }
      }.get()
    }

    @Test func typedTextBecomesANote() async throws {
      try await withNotes { notes in
        try notes.type("Milk 1\n")
        try notes.wait(forFile: "Milk 1.txt", "")
        try notes.type("two bottles\n#shop")
        try notes.wait(forFile: "Milk 1.txt", "two bottles\n#shop")
      }
    }

    /// Desktops find the name and the icon of a window by it.
    @Test func windowHasTheNameOfItsDesktopFile() async throws {
      try await withNotes { notes in
        let name = try notes.run(["xprop", "-id", notes.window, "WM_CLASS"])
        #expect(name.contains("\"org.runnel.Notes\""))
      }
    }

    /// A second start in the same session shows its note in the window of the first, and ends.
    @Test func secondStartShowsItsNote() async throws {
      try await ManualContext.onThread { _ in
        Result {
          let session = TemporaryFolder()
          let script = "echo $DBUS_SESSION_BUS_ADDRESS > '\(session["bus"])'; exec \"$0\" \"$@\""
          let notes = try NotesProgram(
            ["Apple.txt": "red", "Banana.txt": "yellow"],
            launcher: ["/usr/bin/dbus-run-session", "--", "/bin/sh", "-c", script])
          defer { notes.end() }
          try notes.waitForWindow()
          let address = try String(contentsOfFile: session["bus"], encoding: .utf8)
            .trimmingCharacters(in: .whitespacesAndNewlines)
          try notes.run([
            "DBUS_SESSION_BUS_ADDRESS=\(address)", NotesProgram.path, "--window", "open", "banana",
            "--folder", "\(notes.home)/notes",
          ])
          try notes.type("ripe ")
          try notes.wait(forFile: "Banana.txt", "ripe yellow")
          try notes.press("ctrl+q")
          #expect(try notes.waitForExit().status == 0)
        }
      }.get()
    }

    @Test(
      "Composed letters",
      arguments: [
        (["dead_acute", "e"], "é"), (["dead_circumflex", "o"], "ô"),
        (["Multi_key", "quotedbl", "u"], "ü"),
      ])
    func keysCompose(_ keys: [String], _ letter: String) async throws {
      try await withNotes { notes in
        try notes.run(["setxkbmap", "-layout", "us", "-variant", "intl", "-option", "compose:menu"])
        for key in keys { try notes.press(key) }
        try notes.press("x", "Return")
        try notes.wait(forFile: "\(letter)x.txt", "")
        for key in keys { try notes.press(key) }
        try notes.press("y")
        try notes.wait(forFile: "\(letter)x.txt", "\(letter)y")
      }
    }

    @Test func arrowsAndSelectionEdit() async throws {
      try await withNotes { notes in
        try notes.type("wrong")
        try notes.press("ctrl+a")
        try notes.type("Xenon")
        try notes.press("Home", "Delete", "End", "Left", "x", "Return")
        try notes.wait(forFile: "enoxn.txt", "")
        try notes.type("ac")
        try notes.press("Left", "b", "Right", "d")
        try notes.wait(forFile: "enoxn.txt", "abcd")
      }
    }

    @Test func arrowsSelectRows() async throws {
      try await withNotes { notes in
        try notes.press("Down", "Return", "ctrl+End")
        try notes.type("!")
        try notes.wait(forFile: "Banana.txt", "yellow!")
      }
    }

    @Test("A click selects a row, also with pixels of half the size", arguments: [1, 2])
    func clickSelectsARow(_ scale: Int) async throws {
      try await withNotes(scale: scale) { notes in
        try notes.click(column: 3, row: 5)
        try notes.press("Tab", "ctrl+End")
        try notes.type("!")
        try notes.wait(forFile: "Cherry.txt", "dark!")
      }
    }

    @Test func doubleClickOpensARow() async throws {
      try await withNotes { notes in
        try notes.click(column: 3, row: 4, times: 2)
        try notes.press("ctrl+End")
        try notes.type("!")
        try notes.wait(forFile: "Banana.txt", "yellow!")
      }
    }

    @Test func clickPlacesTheCaret() async throws {
      try await withNotes { notes in
        try notes.click(column: 3, row: 4)
        try notes.click(column: 70, row: 10)
        try notes.type("!")
        try notes.wait(forFile: "Banana.txt", "yellow!")
      }
    }

    @Test func dividerFollowsTheMouse() async throws {
      try await withNotes { notes in
        try notes.moveMouse(column: 40, row: 10)
        try notes.xdotool("mousedown", "1")
        for column in [45, 55, 60] { try notes.moveMouse(column: column, row: 10) }
        try notes.xdotool("mouseup", "1")
        // This place was in the text before.
        try notes.click(column: 50, row: 5)
        try notes.press("Tab", "ctrl+End")
        try notes.type("!")
        try notes.wait(forFile: "Cherry.txt", "dark!")
      }
    }

    @Test func clickOnHeaderSorts() async throws {
      try await withNotes { notes in
        for order in ["ascending", "descending"] {
          try notes.click(column: 4, row: 2)
          try notes.wait("the order") {
            try notes.files()[".notes-settings"]?.contains("sort = title\norder = \(order)") == true
          }
        }
        try notes.click(column: 3, row: 3)
        try notes.press("Tab", "ctrl+End")
        try notes.type("!")
        try notes.wait(forFile: "Cherry.txt", "dark!")
      }
    }

    @Test(arguments: [1, 2])
    func mouseChoosesFromAMenu(_ scale: Int) async throws {
      try await withNotes(scale: scale) { notes in
        try notes.click(column: 3, row: 4)
        try notes.click(column: 2, row: 0)
        // New Note, New from Template, Today's Note, Rename, Move, Pin.
        try notes.clickItem(column: 5, row: 7, until: "the pin") {
          try notes.files()[".notes-settings"]?.contains("pinned = Banana.txt") == true
        }
      }
    }

    @Test func keysChooseFromTheMenusOfAHeaderBar() async throws {
      try await withNotes(hasHeaderBar: true) { notes in
        // Banana is selected.
        try notes.press("Down", "F10", "Return")
        // New Note, New from Template, Today's Note, Rename, Move, Pin.
        try notes.press("Down", "Down", "Down", "Down", "Down", "Down", "Return")
        try notes.wait("the pin") {
          try notes.files()[".notes-settings"]?.contains("pinned = Banana.txt") == true
        }
        // The search has the focus again.
        try notes.type("Milk\n")
        try notes.wait(forFile: "Milk.txt", "")
      }
    }

    @Test(
      "A click in the search of a header bar, also with pixels of half the size", arguments: [1, 2])
    func clickFocusesTheSearchOfAHeaderBar(_ scale: Int) async throws {
      try await withNotes(scale: scale, hasHeaderBar: true) { notes in
        try notes.press("Return", "ctrl+End")
        try notes.type("!")
        try notes.wait(forFile: "Apple.txt", "red!")
        // The middle of a header bar of 46 pixels, near its left edge.
        try notes.xdotool(
          "mousemove", "--window", notes.window, "\(100 * scale)", "\(23 * scale)", "click", "1")
        try notes.type("Milk\n")
        try notes.wait(forFile: "Milk.txt", "")
      }
    }

    @Test func controlWClosesTheWindow() async throws {
      try await ManualContext.onThread { _ in
        Result {
          let notes = try NotesProgram(["Apple.txt": "red"], hasHeaderBar: true)
          defer { notes.end() }
          try notes.waitForWindow()
          try notes.type("Milk\nwhite")
          // The window with the keys is in front, and closes with its own key.
          try notes.press("F1")
          let keys = try notes.xdotool("search", "--sync", "--onlyvisible", "--name", "Keyboard")
          try notes.xdotool("windowfocus", "--sync", keys)
          try notes.press("Escape")
          try notes.xdotool("windowfocus", "--sync", notes.window)
          try notes.type(" milk")
          try notes.press("ctrl+w")
          let (status, errors) = try notes.waitForExit()
          #expect(status == 0 && errors == "")
          #expect(try notes.files()["Milk.txt"] == "white milk")
        }
      }.get()
    }

    /// The menu of the row under the mouse, which is selected.
    @Test func secondaryButtonOpensAContextMenu() async throws {
      try await withNotes { notes in
        try notes.click(column: 3, row: 4, button: 3)
        // Rename, Move, Pin.
        try notes.press("Down", "Down", "Down", "Return")
        try notes.wait("the pin") {
          try notes.files()[".notes-settings"]?.contains("pinned = Banana.txt") == true
        }
      }
    }

    @Test func resizedWindowShowsMoreCells() async throws {
      try await withNotes { notes in
        let (width, height) = try notes.size()
        try notes.xdotool(
          "windowsize", "--sync", notes.window, "\(width * 3 / 2)", "\(height * 5 / 4)")
        // This place was in the text before: the list has half of the width.
        try notes.click(column: 55, row: 5)
        try notes.press("Tab", "ctrl+End")
        try notes.type("!")
        try notes.wait(forFile: "Cherry.txt", "dark!")
      }
    }
  }
}
#endif
