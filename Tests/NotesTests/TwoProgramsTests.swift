import Runnel
import RunnelDesk
import Testing

@testable import Notes

/// Two programs that show the same note, in which people type at the same time.
@MainActor
@Suite struct TwoProgramsTests {
  /// Types for a minute. Each program saves twice a second.
  @Test("Typing into one note loses nothing", arguments: ["one\n\n\ntwo", "one"])
  func typingIntoOneNote(_ text: String) async throws {
    let folder = try TestFolder()
    try folder.write("a.txt", text)
    let first = try await TestApp(folder)
    let notes = folder.makeNotes()
    let second = TestApp(folder, showing: notes)
    notes.open()
    await folder.settle { notes["a.txt"] != nil && notes.progress.value == nil }
    for app in [first, second] {
      app.backend.type("a")
      app.backend.press("enter")
    }
    first.screen.editor.selection = TextSelection(caret: TextPosition(line: 0, offset: 3))
    second.screen.editor.selection = TextSelection(caret: second.screen.editor.document.end)
    for _ in 0..<120 {
      first.backend.type("x")
      second.backend.type("y")
      folder.scheduler.advance(by: .milliseconds(500))
      await folder.files()
      await notes.files.idle().completion()
    }
    let isDone = { first.screen.editor.text == second.screen.editor.text }
    await folder.settle {
      notes.save()
      return isDone() && notes.isSaved
    }
    let saved = try #require(folder.read("a.txt"))
    #expect(saved == first.screen.editor.text)
    #expect(saved.count { $0 == "x" } == 120 && saved.count { $0 == "y" } == 120, "\(saved)")
    #expect(folder.names.count <= 2, "\(folder.names)")
    let lines = saved.split(separator: "\n", omittingEmptySubsequences: false)
    if lines.count > 1 {
      // Each letter is in its own line.
      #expect(lines.first?.contains("y") == false && lines.last?.contains("x") == false)
    }
  }
}
