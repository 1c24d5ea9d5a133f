import Runnel
import RunnelDesk
import RunnelTerminal
import RunnelTesting
import RunnelText
import TestSupport
import Testing

@testable import Notes

/// Random keys, clicks, pastes and changes by other programs: nothing may trap, and in the end the
/// screen and the files agree with the model.
@MainActor
@Suite(.serialized) struct KeyStormTests {
  private static let keys = [
    "enter", "tab", "backtab", "escape", "up", "down", "left", "right", "home", "end", "pageup",
    "pagedown", "backspace", "delete", "ctrl+home", "ctrl+end", "shift+up", "shift+down",
    "shift+end",
    "ctrl+a", "ctrl+c", "ctrl+v", "ctrl+x", "ctrl+y", "ctrl+w", "ctrl+u", "ctrl+j", "ctrl+k",
    "ctrl+n", "ctrl+p", "alt+p", "alt+n", "ctrl+d", "ctrl+f", "f3", "shift+f3", "ctrl+g", "alt+t",
    "alt+d", "f1",
    "f2", "f10",
  ]
  private static let texts = [
    "a", "e", "milk", " ", "\"", "tag:x", "#x", "é", "世界", "🇨🇭", "\u{301}", "1",
  ]

  @Test(arguments: seeds(2) as Range<UInt64>)
  func randomInputKeepsScreenAndFilesConsistent(_ seed: UInt64) async throws {
    let folder = try TestFolder()
    for (index, text) in ["milk\nbread", "", "#x tags", "e\u{301} 世界\n"].enumerated() {
      try folder.write("Note \(index).txt", text)
    }
    await folder.open()
    let backend = HeadlessBackend(Size(width: 80, height: 24))
    let application = Application(backend: backend, scheduler: folder.scheduler)
    let controller = NotesController(folder.notes, in: application)
    application.show(controller.screen.window)
    controller.screen.window.makeFirstResponder(controller.screen.search)

    // In every other run, no other program writes, and nothing is undone that could conflict with
    // later changes, so no conflict may occur.
    let hasOthers = seed % 2 == 0
    let keys = hasOthers ? Self.keys + ["ctrl+z", "alt+up", "alt+down"] : Self.keys
    var random = SeededGenerator(seed: seed)
    var terminal = Shown()
    var (step, presses) = (0, 0)
    while presses < 1_000 {
      if try await act(keys, on: backend, folder, hasOthers: hasOthers, &random) { presses += 1 }
      step += 1
      terminal.show(backend.grid)
      if step % 25 == 0 {
        terminal.screen.expectToShow(backend.grid, "seed \(seed), step \(step)")
        // The screen must equal a complete redraw.
        let shown = backend.grid
        controller.screen.table.reloadData()
        backend.needsDisplay()
        #expect(shown == backend.grid, "seed \(seed), step \(step)")
      }
    }

    backend.press("escape")
    // The last changes by other programs may not have been noticed yet.
    let notes = folder.notes
    await folder.settle {
      notes.drafts.isEmpty && notes.notes.count == folder.names.count { Note.isName(FileName($0)) }
        && notes.notes.allSatisfy { folder.read($0.id) == $0.text }
    }
    for note in notes.notes { #expect(notes.text(of: note.id) == note.text, "seed \(seed)") }
    expectListMatchesNotes(of: controller, "seed \(seed)")
    if !hasOthers {
      #expect(folder.conflicts.isEmpty, "seed \(seed)")
      #expect(!folder.names.contains { $0.contains("(conflict") }, "seed \(seed)")
    }
  }

  /// Checks that the table has a row for each matching note, in order, with the contents of the
  /// files.
  private func expectListMatchesNotes(of controller: NotesController, _ occasion: Comment) {
    let (table, folder) = (controller.screen.table, controller.folder)
    let query = SearchQuery(controller.screen.search.text)
    let expected = folder.notes.filter { $0.isFound(by: query) }
    let settings = folder.settings.value
    let source = table.dataSource
    let count = source?.tableView(table, numberOfRowsInSection: 0)
    #expect(count == expected.count, occasion)
    let rows = (0..<expected.count).map { row in
      let cells = source?.tableView(table, cellsOfRow: row) ?? [:]
      return table.columns.map { cells[$0.identifier].text }
    }
    let texts = expected.map { note in
      [
        (note.isPinned ? "• " : "") + note.title, String(note.firstLine),
        LocalTime(note.modified).short,
      ]
    }
    #expect(Set(rows) == Set(texts), occasion)
    // The order of notes with equal dates is unspecified.
    let found = rows.compactMap { row in zip(texts, expected).first { $0.0 == row }?.1 }
    for (one, next) in zip(found, found.dropFirst()) {
      #expect(!settings.areInOrder(next, one), occasion)
    }
  }

  /// A terminal that receives incremental updates.
  private struct Shown {
    private(set) var screen = ScreenModel(.zero)
    private var writer = FrameWriter(colors: .full)
    private var grid: Grid?

    mutating func show(_ new: Grid) {
      if grid?.size != new.size { screen = ScreenModel(new.size) }
      screen.obey(writer.bytes(from: grid, to: new))
      grid = new
    }
  }

  /// Performs a random action. Returns true if it was a key press.
  private func act(
    _ keys: [String], on backend: HeadlessBackend, _ folder: TestFolder, hasOthers: Bool,
    _ random: inout SeededGenerator
  ) async throws -> Bool {
    let kind = Int.random(in: 0..<40, using: &random)
    switch kind {
    case 0..<18: backend.press(keys.randomElement(using: &random) ?? "enter")
    case 18..<30: backend.type(Self.texts.randomElement(using: &random) ?? "a")
    case 30, 31:
      let point = Point(
        x: Int.random(in: -1...80, using: &random), y: Int.random(in: -1...24, using: &random))
      backend.click(point)
    case 32: backend.send(.paste("one\ntwo\n\u{0}three"))
    case 33:
      let point = Point(x: Int.random(in: 0..<80, using: &random), y: 8)
      backend.send(.mouse(MouseEvent(.wheel(.down), at: point)))
    case 34: backend.send(.focus(Bool.random(using: &random)))
    case 35:
      let size = Size(
        width: Int.random(in: 0...90, using: &random),
        height: Int.random(in: 0...30, using: &random))
      backend.send(.resize(size))
    case 36: folder.scheduler.advance(by: .seconds(Int.random(in: 0...3, using: &random)))
    case 37 where hasOthers:
      try folder.write("Note 0.txt", "other \(Int.random(in: 0...9, using: &random))")
    case 38: await folder.files()
    default: await Task.yield()
    }
    return kind < 30
  }
}
