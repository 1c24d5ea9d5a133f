import Foundation
import RunnelDesk
import Testing

@testable import Notes

/// Search hits in the list.
@MainActor @Suite struct SearchTests {
  @Test func blanksSelectNoNote() async throws {
    let app = try await TestApp()
    app.backend.type(" ")
    #expect(app.screen.table.selectedRow == nil)
    app.backend.type("b")
    #expect(app.screen.table.selectedRow != nil)
  }

  @Test func searchAndEditorAreReleasedWithTheApp() async throws {
    weak var search: NoteSearch?
    weak var editor: TextView?
    do {
      let app = try await TestApp()
      app.backend.type("a")
      search = app.controller.search
      editor = app.screen.editor
      app.application.end()
    }
    #expect(search == nil && editor == nil)
  }

  /// The list jumps to a row that was visible before and is far below when more rows match.
  @Test func hitsAreHighlightedAfterListJumps() async throws {
    let app = try await TestApp()
    let old = [FileAttributeKey.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)]
    try app.folder.write("cx.txt", "")
    try FileManager.default.setAttributes(old, ofItemAtPath: app.folder.url("cx.txt").path())
    for number in 0..<40 { try app.folder.write("\(number).txt", "c") }
    await app.folder.settle { app.folder.notes.notes.count == 43 }
    try app.folder.write("last.txt", "cx")
    await app.folder.settle { app.folder.notes.notes.count == 44 }
    for text in ["c", "cx", "c"] {
      app.screen.search.text = ""
      app.backend.type(text)
      #expect(app.screen.table.selectedRow == (text == "cx" ? 1 : 41))
      let shown = app.backend.grid
      app.screen.table.reloadData()
      app.backend.needsDisplay()
      #expect(shown == app.backend.grid)
    }
  }
}
