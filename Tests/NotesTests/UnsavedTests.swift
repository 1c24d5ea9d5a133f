import Glibc
import Runnel
import RunnelTesting
import Testing

@testable import Notes

/// Saves that fail temporarily.
@MainActor
@Suite struct UnsavedTests {
  private nonisolated static let codes = [ENOSPC, EIO, EACCES]

  @Test(arguments: Faults.Call.allCases, codes)
  func failedSaveIsRetriedUntilItSucceeds(_ call: Faults.Call, _ code: Int32) async throws {
    let app = try await TestApp()
    let folder = app.folder
    app.type("mine ", into: "a")
    folder.faults.fail(call, with: code)
    await app.pass(.seconds(1))
    #expect(app.controller.screen.editor.text == "mine one")
    #expect(folder.notes.text(of: "a.txt") == "mine one")
    #expect(app.controller.screen.status.text.hasPrefix("Not saved: a: "))
    #expect(app.backend.text.contains("a: "))
    #expect(folder.problems.count == 1)
    // The file has the new text only if the fault occurred after the save. Temporary files are
    // removed.
    #expect(folder.read("a.txt") == (call == .confirm ? "mine one" : "one"))
    #expect(folder.names == ["a.txt", "b.txt"])

    // Saving is retried repeatedly, and reported once.
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
    #expect(app.controller.screen.status.text.hasPrefix("F1 keys"))
  }

  @Test func saveErrorStaysVisibleInOtherNotes() async throws {
    let app = try await TestApp()
    app.type("mine ", into: "a")
    app.folder.faults.fail(.write, with: ENOSPC)
    await app.pass(.seconds(1))
    app.type("", into: "b")
    await app.pass(.seconds(10))
    #expect(app.controller.screen.editor.text == "two")
    #expect(app.backend.text.contains("Not saved: a: Delete something or empty the trash"))
    app.type("more ", into: "b")
    await app.pass(.seconds(10))
    #expect(app.controller.screen.status.text.hasPrefix("Not saved: b: "))
    // The edit is undone, so nothing is left to save.
    for _ in 0..<5 { app.backend.press("backspace") }
    await app.pass(.seconds(10))
    #expect(app.controller.screen.status.text.hasPrefix("Not saved: a: "))
    app.type("", into: "a")
    #expect(app.controller.screen.editor.text == "mine one")
  }

  /// A change by another program in the meantime is kept too.
  @Test func retriedSaveDetectsConflict() async throws {
    let app = try await TestApp()
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

  @Test func failedRenameAndDeletionKeepEdits() async throws {
    let app = try await TestApp()
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

  /// The disk is full. The note is deleted, and another note of the same name is created and edited
  /// before the deletion fails.
  @Test func failedDeletionKeepsTextNextToNewNote() async throws {
    let app = try await TestApp()
    let folder = app.folder
    app.type("mine ", into: "a")
    folder.faults.fail(.write, with: ENOSPC)
    app.delete()
    let id = folder.notes.create("a")
    folder.notes.edit(id, "another")
    await app.pass(.zero)
    #expect(folder.notes.text(of: "a.txt") == "another")
    #expect(folder.notes.text(of: "a (conflict).txt") == "mine one")
    #expect(folder.titles == ["a", "a (conflict)", "b"])
    await app.pass(.seconds(5))
    #expect(folder.notes.saveProblems.map(\.note) == ["a (conflict).txt", "a.txt"])
    folder.faults.heal()
    await folder.settle { folder.notes.isSaved }
    #expect(folder.read("a.txt") == "another")
    let texts = Set(folder.names.compactMap { folder.read($0) })
    #expect(texts.isSuperset(of: ["another", "mine one", "two"]))
  }

  /// The user deletes a note that could not be saved, and then quits.
  @Test func quittingAfterFailedDeletionAsks() async throws {
    let app = try await TestApp()
    app.type("mine ", into: "a")
    app.folder.faults.fail(.write, with: ENOSPC)
    app.delete()
    app.backend.press("ctrl+q")
    #expect(!app.application.isTerminated)
    await app.settle { app.backend.text.contains("Not all is saved") }
    #expect(app.folder.notes.unsavedFiles.map(\.bytes) == [Array("mine one".utf8)])
  }

  /// One note takes the name of another, and both renames fail.
  @Test func chainedFailedRenamesKeepTexts() async throws {
    let app = try await TestApp()
    let folder = app.folder
    folder.faults.fail(.rename, with: EACCES)
    try folder.notes.rename("a.txt", to: "c")
    folder.notes.edit("c.txt", "mine")
    try folder.notes.rename("b.txt", to: "a")
    folder.notes.edit("a.txt", "mine too")
    await app.pass(.zero)
    folder.faults.heal()
    await folder.settle { folder.notes.drafts.isEmpty }
    let texts = Set(folder.names.compactMap { folder.read($0) })
    #expect(texts.isSuperset(of: ["mine", "mine too"]))
  }

  @Test func failedCreationIsRetried() async throws {
    let app = try await TestApp()
    app.folder.faults.fail(.create, with: EACCES)
    app.backend.type("new")
    app.backend.press("enter")
    app.backend.type("text")
    await app.pass(.seconds(20))
    #expect(app.folder.names == ["a.txt", "b.txt"])
    #expect(
      app.controller.screen.status.text.hasPrefix("Not saved: new: Change the permissions of"))
    app.folder.faults.heal()
    await app.pass(.seconds(5))
    #expect(app.folder.read("new.txt") == "text")
  }

  // MARK: - Settings

  @Test(arguments: [Faults.Call.create, .write, .synchronize, .rename], codes)
  func failedSettingsSaveIsRetried(_ call: Faults.Call, _ code: Int32) async throws {
    let app = try await TestApp()
    let folder = app.folder
    folder.faults.fail(call, with: code)
    app.backend.press("alt+t")
    await app.pass(.zero)
    #expect(folder.notes.settings.value.sortKey == .title && !folder.notes.isSaved)
    #expect(folder.problems.count == 1)
    #expect(app.screen.status.text.hasPrefix("Not saved: "))
    #expect(app.screen.status.text.contains(".notes-settings\"") || code == EIO)

    // Saving is retried repeatedly, and reported once.
    for _ in 0..<4 { await app.pass(.seconds(5)) }
    #expect(folder.problems.count == 1)
    #expect(app.screen.status.message == nil)
    #expect(app.screen.status.text.hasPrefix("Not saved: "))
    #expect(folder.names == ["a.txt", "b.txt"])

    folder.faults.heal()
    await app.pass(.seconds(5))
    #expect(folder.read(".notes-settings")?.hasPrefix("sort = title\n") == true)
    #expect(app.screen.status.text.hasPrefix("F1 keys") && folder.notes.unsavedFiles.isEmpty)
    #expect(folder.names == [".notes-settings", "a.txt", "b.txt"])
  }

  /// Unsaved notes are more important than unsaved settings.
  @Test func noteErrorsPrecedeSettingsErrors() async throws {
    let app = try await TestApp()
    app.folder.faults.fail(.write, with: ENOSPC)
    app.backend.press("alt+t")
    app.folder.notes.edit("b.txt", "mine")
    await app.pass(.seconds(1))
    #expect(app.screen.status.text.hasPrefix("Not saved: b: "))
    app.type("", into: "a")
    #expect(app.screen.status.text.hasPrefix("Not saved: b: "))
    #expect(app.folder.notes.unsavedFiles.map(\.name) == ["b.txt", ".notes-settings"])
  }

  // MARK: - Quitting

  @Test func quittingWithUnsavedSettingsAsks() async throws {
    let app = try await TestApp()
    app.folder.faults.fail(.write, with: ENOSPC)
    app.backend.press("alt+t")
    app.backend.press("ctrl+q")
    await app.settle { app.backend.text.contains("Not all is saved") }
    app.backend.press("escape")
    #expect(!app.application.isTerminated)
    app.folder.faults.heal()
    app.backend.press("ctrl+q")
    await app.settle { app.application.isTerminated }
    #expect(app.folder.read(".notes-settings")?.hasPrefix("sort = title\n") == true)
  }

  @Test func quittingWithUnsavedTextAsks() async throws {
    let app = try await TestApp()
    app.type("mine ", into: "a")
    app.folder.faults.fail(.write, with: ENOSPC)
    app.backend.press("ctrl+q")
    await app.settle { app.backend.text.contains("Not all is saved") }
    #expect(app.backend.text.contains("There is no room for"))
    // Return and Esc both mean "Stay".
    app.backend.press("escape")
    #expect(!app.application.isTerminated && !app.backend.text.contains("Not all is saved"))
    #expect(app.controller.screen.editor.text == "mine one")
    app.backend.press("ctrl+q")
    await app.settle { app.backend.text.contains("Not all is saved") }
    app.backend.press("tab")
    app.backend.press("enter")
    #expect(app.application.isTerminated)
    #expect(app.folder.read("a.txt") == "one")
  }

  @Test func quittingAfterRecoveryDoesNotAsk() async throws {
    let app = try await TestApp()
    app.type("mine ", into: "a")
    app.folder.faults.fail(.write, with: ENOSPC)
    await app.pass(.seconds(1))
    app.folder.faults.heal()
    app.backend.press("ctrl+q")
    while !app.application.isTerminated { await Task.yield() }
    #expect(app.folder.read("a.txt") == "mine one")
  }
}
