import Runnel
import RunnelDesk
import Testing

@testable import Notes

/// Changes by other programs to the open note.
@MainActor
@Suite struct FollowingTests {
  @Test(arguments: [true, false])
  func openNoteStaysOpenAfterExternalRename(_ isTypedInto: Bool) async throws {
    let app = try await TestApp()
    app.type("", into: "a")
    for _ in 0..<2 { app.backend.press("right") }
    if !isTypedInto {
      app.backend.press("escape")
      app.backend.press("escape")
      app.backend.type("a")
    }
    let caret = app.screen.editor.selection
    #expect(app.screen.editor.text == "one")
    try app.folder.move("a.txt", to: "az.md")
    await app.settle { app.folder.notes["az.md"] != nil }
    #expect(app.screen.editor.text == "one" && app.screen.editor.selection == caret)
    #expect(app.screen.table.selectedRow.map { $0 >= 0 } == true)
    try app.folder.write("az.md", "one, and more")
    await app.settle { app.screen.editor.text == "one, and more" }
    if isTypedInto {
      app.backend.type("!")
      await app.pass(.seconds(1))
      #expect(app.folder.read("az.md") == "on!e, and more")
    }
    #expect(app.folder.names == ["az.md", "b.txt"])
  }

  @Test func externalChangeCanBeUndone() async throws {
    let app = try await TestApp()
    app.type("typed ", into: "a")
    await app.pass(.seconds(1))
    try app.folder.write("a.txt", "")
    await app.settle { app.screen.editor.text == "" }
    app.backend.press("ctrl+z")
    #expect(app.screen.editor.text == "typed one")
    await app.pass(.seconds(1))
    #expect(app.folder.read("a.txt") == "typed one")
    app.backend.press("ctrl+z")
    #expect(app.screen.editor.text == "one")
  }

  @Test func rowOfANoteThatIsTypedBackIsSelected() async throws {
    let app = try await TestApp()
    app.type("typed ", into: "b")
    await app.pass(.seconds(1))
    let row = app.screen.table.selectedRow
    try app.folder.delete("b.txt")
    await app.settle { app.backend.text.contains("b was deleted elsewhere.") }
    #expect(app.screen.table.selectedRow == nil)
    app.backend.type("again ")
    #expect(app.screen.table.selectedRow == row && row != nil)
    await app.pass(.seconds(1))
    #expect(app.folder.read("b.txt") == "typed again two")
    #expect(app.screen.table.selectedRow == row)
  }

  /// "Saved" does not hide what another program has done. Esc shows that the user has seen it.
  @Test func noticeStaysUntilSeen() async throws {
    let app = try await TestApp()
    app.type("typed ", into: "a")
    await app.pass(.seconds(1))
    #expect(app.backend.text.contains("Saved a"))
    try app.folder.write("a.txt", "changed")
    await app.settle { app.screen.editor.text == "changed" }
    #expect(app.backend.text.contains("a was changed elsewhere."))
    app.backend.type("more ")
    await app.pass(.seconds(1))
    #expect(app.folder.read("a.txt")?.contains("more ") == true)
    await app.pass(.seconds(60))
    #expect(app.backend.text.contains("a was changed elsewhere."))
    app.backend.press("escape")
    #expect(!app.backend.text.contains("elsewhere"))
  }

  @Test func externalChangeKeepsCaretAndScroll() async throws {
    let folder = try TestFolder()
    let lines = (0..<100).map { "line \($0)" }
    try folder.write("a.txt", lines.joined(separator: "\n"))
    let app = try await TestApp(folder)
    app.type("", into: "a")
    app.screen.editor.selection = TextSelection(caret: TextPosition(line: 50, offset: 0))
    #expect(app.backend.text.contains("line 50"))
    let top = app.screen.editor.top.line
    try folder.write("a.txt", (["new"] + lines).joined(separator: "\n"))
    await app.settle { app.screen.editor.document.lineCount == 101 }
    #expect(app.screen.editor.selection == TextSelection(caret: TextPosition(line: 51, offset: 0)))
    #expect(top > 0 && app.screen.editor.top.line == top + 1)
    #expect(app.backend.text.contains("line 50"))
    // A line above the line of the caret does not take the caret.
    try folder.write(
      "a.txt", (["new"] + lines[..<50] + ["other"] + lines[50...]).joined(separator: "\n"))
    await app.settle { app.screen.editor.document.lineCount == 102 }
    #expect(app.screen.editor.selection == TextSelection(caret: TextPosition(line: 52, offset: 0)))
    #expect(app.screen.editor.top.line == top + 1)
  }

  /// Renaming within the app keeps the position of the caret too.
  @Test func renamingKeepsCaretPosition() async throws {
    let app = try await TestApp()
    app.type("", into: "a")
    app.backend.press("end")
    app.backend.press("f2")
    app.backend.press("ctrl+a")
    app.backend.type("z")
    app.backend.press("enter")
    app.backend.type("!")
    await app.pass(.seconds(1))
    #expect(app.folder.read("z.txt") == "one!")
  }
}
