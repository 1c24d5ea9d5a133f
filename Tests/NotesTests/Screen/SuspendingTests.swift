import RunnelDesk
import RunnelTesting
import Testing

@testable import Notes

/// Leaving the app for the shell, and commands that have nothing to act on.
@MainActor @Suite struct SuspendingTests {
  @Test func typedTextIsSavedBeforeAppSuspends() async throws {
    let app = try await TestApp()
    var files: [String?] = []
    app.controller.host?.suspend = { files.append(app.folder.read("a.txt")) }
    app.type("more ", into: "a")
    app.backend.press("alt+z")
    app.backend.press("alt+z")
    await app.settle { !files.isEmpty && !app.controller.isLending }
    #expect(files == ["more one"])
    app.backend.press("alt+z")
    await app.settle { files.count == 2 }
  }

  @Test(arguments: [
    "f2", "alt+p", "ctrl+d", "ctrl+o", "alt+l", "ctrl+f", "ctrl+g", "f3", "alt+enter",
  ])
  func commandWithoutOpenNoteSaysWhatToDo(_ key: String) async throws {
    let app = try await TestApp()
    app.backend.press("escape")
    #expect(app.controller.open == nil)
    app.backend.press(key)
    let last = app.backend.grid.lines.last ?? ""
    #expect(last.contains(" first"), "\(last)")
  }

  @Test func windowHasNoWordsOfTheTerminal() async throws {
    let app = try await TestApp()
    app.backend.send(.resize(Size(width: 80, height: 40)))
    func words() -> [String] {
      app.backend.press("f1")
      defer { app.backend.press("escape") }
      let titles = app.screen.window.menuBar?.menus.flatMap(\.items).map(\.title) ?? []
      let text = (titles + [app.backend.text]).joined(separator: " ")
      return ["Suspend", "suspends", "fg", "$EDITOR", "Hints"].filter(text.contains)
    }
    #expect(words() == ["Suspend", "suspends", "fg", "$EDITOR"])
    app.controller.host = nil
    #expect(words() == ["Hints"])
    app.type("more ", into: "a")
    for key in ["alt+z", "ctrl+o"] { app.backend.press(key) }
    #expect(!app.controller.isLending)
  }

  /// An older undo history is forgotten, the text is not.
  @Test func historiesOfLatestNotesAreKept() async throws {
    let folder = try TestFolder()
    for number in 0...51 { try folder.write("n\(number).md", "\(number)") }
    let app = try await TestApp(folder)
    for number in 0...51 {
      app.type("x", into: "n\(number).md".replacing(".md", with: ""))
      app.backend.press("escape")
    }
    app.type("", into: "n0")
    #expect(!app.screen.editor.canUndo && app.screen.editor.text == "x0")
    app.type("", into: "n30")
    #expect(app.screen.editor.canUndo)
  }
}
