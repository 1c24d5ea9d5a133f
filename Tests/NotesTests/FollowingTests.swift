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
