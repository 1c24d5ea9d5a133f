import RunnelDesk
import Testing

@testable import Notes

/// The state that lasts from one run to the next.
@MainActor @Suite struct MemoryTests {
  private func open(_ settings: String, last: String? = nil) async throws -> TestApp {
    let folder = try TestFolder()
    try folder.write("a.txt", "one")
    try folder.write("b.txt", "two")
    try folder.write(".notes-settings", settings)
    return try await TestApp(folder)
  }

  @Test func lastNoteAndDividerAreRestored() async throws {
    let app = try await open("divider = 30\nlast = b.txt\n")
    #expect(app.screen.editor.text == "two")
    #expect(app.screen.split.position == .fraction(0.3))
    #expect(app.screen.search.isFirstResponder)
    app.backend.press("enter")
    #expect(app.screen.editor.isFirstResponder)
  }

  @Test(arguments: ["divider = 0", "divider = x", "divider = 100", "last = c.txt", "last = "])
  func unusableSettingsAreIgnored(_ line: String) async throws {
    let app = try await open(line + "\n")
    #expect(app.screen.split.position == .fraction(0.5) && app.screen.editor.text == "")
  }

  @Test func lastNoteAndDividerAreSaved() async throws {
    let app = try await TestApp()
    // The divider moves after the views were laid out.
    #expect(app.backend.text.contains("│"))
    app.screen.split.moveDivider(to: 20)
    app.type("", into: "b")
    app.application.end()
    await app.folder.settle { app.folder.notes.isSaved }
    let text = try #require(app.folder.read(".notes-settings"))
    #expect(text.contains("divider = 25\n") && text.contains("last = b.txt\n"))
  }

  @Test func typingBeforeFolderIsReadKeepsSearch() async throws {
    let folder = try TestFolder()
    try folder.write("a.txt", "one")
    try folder.write(".notes-settings", "last = a.txt\n")
    let app = try await TestApp(folder) { $0.backend.type("o") }
    #expect(app.screen.search.text == "o" && app.screen.table.selectedRow == nil)
  }
}
