import Glibc
import Runnel
import RunnelDesk
import RunnelTesting
import Testing

@testable import Notes

/// What was typed cannot be saved, for now.
@MainActor
@Suite(.timeLimit(.minutes(2))) struct UnsavedTests {
  private nonisolated static let codes = [ENOSPC, EIO, EACCES]

  /// The app on a screen that nobody sees, with a text in each of two files.
  @MainActor private struct App {
    let folder: TestFolder
    let backend = HeadlessBackend(Size(width: 80, height: 24))
    let application: Application
    let controller: NotesController

    init() async throws {
      folder = try TestFolder()
      try folder.write("a.txt", "one")
      try folder.write("b.txt", "two")
      await folder.open()
      application = Application(backend: backend, scheduler: folder.scheduler)
      controller = NotesController(folder.notes, in: application)
      application.show(controller.screen.window)
      controller.screen.window.makeFirstResponder(controller.screen.search)
    }

    /// Opens a note, and types at its beginning.
    func type(_ text: String, into title: String) {
      for _ in 0..<2 { backend.press("escape") }
      backend.type(title)
      backend.press("enter")
      backend.press("ctrl+home")
      backend.type(text)
    }

    func pass(_ time: Duration) async {
      folder.scheduler.advance(by: time)
      await folder.files()
    }
  }

  @Test(arguments: Faults.Call.allCases, codes)
  func itIsKeptAndSavedAsSoonAsThatGoes(_ call: Faults.Call, _ code: Int32) async throws {
    let app = try await App()
    let folder = app.folder
    app.type("mine ", into: "a")
    folder.faults.fail(call, with: code)
    await app.pass(.seconds(1))
    #expect(app.controller.screen.editor.text == "mine one")
    #expect(folder.notes.text(of: "a.txt") == "mine one")
    #expect(app.controller.screen.status.text.hasPrefix("Not saved: a: "))
    #expect(app.backend.text.contains("a: "))
    #expect(folder.problems.count == 1)
    // Only what was not confirmed is in the file; what is left of tries is cleared away.
    #expect(folder.read("a.txt") == (call == .confirm ? "mine one" : "one"))
    #expect(folder.names == ["a.txt", "b.txt"])

    // Tried again and again, and told of once.
    for _ in 0..<3 { await app.pass(.seconds(5)) }
    #expect(folder.problems.count == 1)
    #expect(app.backend.text.contains("Not saved: a: "))
    #expect(app.controller.screen.status.message == nil)
    #expect(!folder.notes.drafts.unsaved.value.isEmpty)

    folder.faults.heal()
    await app.pass(.seconds(5))
    #expect(folder.read("a.txt") == "mine one")
    #expect(folder.read("b.txt") == "two")
    #expect(folder.names == ["a.txt", "b.txt"])
    #expect(folder.notes.drafts.isEmpty && folder.notes.drafts.unsaved.value.isEmpty)
    #expect(app.controller.screen.status.text == "")
  }

  @Test func theMarkStaysWhereverThePersonGoes() async throws {
    let app = try await App()
    app.type("mine ", into: "a")
    app.folder.faults.fail(.write, with: ENOSPC)
    await app.pass(.seconds(1))
    app.type("", into: "b")
    await app.pass(.seconds(10))
    #expect(app.controller.screen.editor.text == "two")
    #expect(app.backend.text.contains("Not saved: a: There is no room"))
    app.type("more ", into: "b")
    await app.pass(.seconds(10))
    #expect(app.controller.screen.status.text.hasPrefix("Not saved: b: "))
    // What is typed is taken back: then there is nothing to save.
    for _ in 0..<5 { app.backend.press("backspace") }
    await app.pass(.seconds(10))
    #expect(app.controller.screen.status.text.hasPrefix("Not saved: a: "))
    app.type("", into: "a")
    #expect(app.controller.screen.editor.text == "mine one")
  }

  /// What others do to the file meanwhile is kept as well.
  @Test func aConflictIsFoundWhenItIsSavedAtLast() async throws {
    let app = try await App()
    let folder = app.folder
    folder.notes.edit("a.txt", "mine")
    folder.faults.fail(.synchronize, with: EIO)
    await app.pass(.seconds(1))
    try folder.write("a.txt", "theirs")
    await app.pass(.seconds(5))
    folder.faults.heal()
    await folder.settle { folder.conflicts.count == 1 }
    #expect(folder.read("a.txt") == "mine")
    #expect(folder.read("a (conflict).txt") == "theirs")
  }

  @Test func renamingAndDeletingThatFailLoseNothingTyped() async throws {
    let app = try await App()
    let folder = app.folder
    folder.faults.fail(.rename, with: EACCES)
    folder.notes.edit("a.txt", "mine")
    try folder.notes.rename("a.txt", to: "c")
    folder.notes.edit("c.txt", "mine, more")
    folder.notes.delete("b.txt")
    await app.pass(.zero)
    #expect(folder.titles == ["a"])
    #expect(folder.notes.text(of: "a.txt") == "mine, more")
    folder.notes.edit("a.txt", "mine, and more")
    folder.notes.delete("a.txt")
    await app.pass(.zero)
    #expect(folder.titles == ["a"])
    #expect(folder.notes.text(of: "a.txt") == "mine, and more")
    folder.faults.heal()
    await app.pass(.seconds(5))
    #expect(folder.read("a.txt") == "mine, and more")
  }

  @Test func aNewNoteThatCannotBeMadeIsMadeLater() async throws {
    let app = try await App()
    app.folder.faults.fail(.create, with: EACCES)
    app.backend.type("new")
    app.backend.press("enter")
    app.backend.type("text")
    await app.pass(.seconds(20))
    #expect(app.folder.names == ["a.txt", "b.txt"])
    #expect(app.controller.screen.status.text.hasPrefix("Not saved: new: This user may not"))
    app.folder.faults.heal()
    await app.pass(.seconds(5))
    #expect(app.folder.read("new.txt") == "text")
  }

  // MARK: - Quitting

  @Test func quittingAsks() async throws {
    let app = try await App()
    app.type("mine ", into: "a")
    app.folder.faults.fail(.write, with: ENOSPC)
    app.backend.press("ctrl+q")
    while !app.backend.text.contains("Not all is saved") { await Task.yield() }
    #expect(app.backend.text.contains("There is no room for"))
    // To stay is what Return and Esc mean.
    app.backend.press("escape")
    #expect(!app.application.isTerminated && !app.backend.text.contains("Not all is saved"))
    #expect(app.controller.screen.editor.text == "mine one")
    app.backend.press("ctrl+q")
    while !app.backend.text.contains("Not all is saved") { await Task.yield() }
    app.backend.press("tab")
    app.backend.press("enter")
    #expect(app.application.isTerminated)
    #expect(app.folder.read("a.txt") == "one")
  }

  @Test func quittingWhenItGoesAgainDoesNotAsk() async throws {
    let app = try await App()
    app.type("mine ", into: "a")
    app.folder.faults.fail(.write, with: ENOSPC)
    await app.pass(.seconds(1))
    app.folder.faults.heal()
    app.backend.press("ctrl+q")
    while !app.application.isTerminated { await Task.yield() }
    #expect(app.folder.read("a.txt") == "mine one")
  }
}
