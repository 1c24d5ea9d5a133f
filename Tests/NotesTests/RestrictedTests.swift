import Foundation
import Glibc
import Runnel
import RunnelDesk
import Testing

@testable import Notes

/// Read-only notes, and notes that have not been read yet.
@MainActor
@Suite struct RestrictedTests {
  @Test func noteIsReadOnlyUntilItIsUTF8() async throws {
    let app = try await TestApp()
    try app.folder.write("c.txt", Array("caf".utf8) + [0xE9])
    await app.settle { app.folder.titles == ["a", "b", "c"] }
    app.type("typed", into: "c")
    #expect(app.screen.editor.text == "caf\u{FFFD}" && !app.screen.editor.isEditable)
    #expect(app.backend.text.contains("not UTF-8, read only"))
    // Another note can be edited, and this one too when it has become valid UTF-8.
    app.type("typed ", into: "a")
    #expect(app.screen.editor.isEditable && !app.backend.text.contains("read only"))
    app.type("", into: "c")
    try app.folder.write("c.txt", "caf\u{E9}")
    await app.settle { app.screen.editor.text == "caf\u{E9}" }
    #expect(app.screen.editor.isEditable && !app.backend.text.contains("read only"))
    await app.pass(.seconds(1))
    #expect(app.folder.read("a.txt") == "typed one" && app.folder.names.count == 3)
  }

  /// The progress bar is visible during the first scan.
  @Test func firstScanShowsProgress() async throws {
    let folder = try TestFolder()
    for number in 0..<450 { try folder.write("\(number).txt", "text \(number)") }
    let backend = HeadlessBackend(Size(width: 40, height: 10))
    let application = Application(backend: backend, scheduler: folder.scheduler)
    let controller = NotesController(folder.notes, in: application)
    application.show(controller.screen.window)
    #expect(controller.screen.progress.isHidden && !backend.text.contains("░"))
    var rows: [String] = []
    let observation = folder.notes.progress.updates.filter { $0 != nil }.observeNext { _ in
      let lines = backend.text.split(separator: "\n", omittingEmptySubsequences: false)
      rows.append(String(lines[8]))
    }
    await folder.open()
    observation.dispose()
    let bars = [
      "░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░", "████████▉░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░",
      "██████████████████████████▋░░░░░░░░░░░░░", "████████████████████████████████████████",
    ]
    #expect(Set(rows) == Set(bars))
    #expect(controller.screen.progress.isHidden && folder.titles.count == 450)
    #expect(!backend.text.contains("░"))
  }
}
