import Glibc
import Runnel
import RunnelTesting
import Testing

@testable import Notes

/// What was typed cannot be saved, for now.
@MainActor
@Suite(.timeLimit(.minutes(2))) struct UnsavedTests {
  private nonisolated static let codes = [ENOSPC, EIO, EACCES]

  @Test(arguments: Faults.Call.allCases, codes)
  func itIsKeptAndSavedAsSoonAsThatGoes(_ call: Faults.Call, _ code: Int32) async throws {
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
    let app = try await TestApp()
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

  @Test func renamingAndDeletingThatFailLoseNothingTyped() async throws {
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

  /// The disk is full; the note is deleted all the same, and one of its name is made and typed into
  /// before that turns out to be impossible.
  @Test func whatIsDeletedInVainIsKeptBesideAnother() async throws {
    let app = try await TestApp()
    let folder = app.folder
    app.type("mine ", into: "a")
    folder.faults.fail(.write, with: ENOSPC)
    app.backend.press("ctrl+d")
    let id = folder.notes.create("a")
    folder.notes.edit(id, "another")
    await app.pass(.zero)
    #expect(folder.notes.text(of: "a.txt") == "another")
    #expect(folder.notes.text(of: "a (conflict).txt") == "mine one")
    #expect(folder.titles == ["a", "a (conflict)", "b"])
    await app.pass(.seconds(5))
    #expect(folder.notes.unsaved.map(\.note) == ["a (conflict).txt", "a.txt"])
    folder.faults.heal()
    await folder.settle { folder.notes.isSaved }
    #expect(folder.read("a.txt") == "another")
    let texts = Set(folder.names.compactMap { folder.read($0) })
    #expect(texts.isSuperset(of: ["another", "mine one", "two"]))
  }

  /// A note is deleted that could not be saved, and then the person quits: what was typed is not lost.
  @Test func quittingAfterDeletingInVainAsks() async throws {
    let app = try await TestApp()
    app.type("mine ", into: "a")
    app.folder.faults.fail(.write, with: ENOSPC)
    app.backend.press("ctrl+d")
    app.backend.press("ctrl+q")
    #expect(!app.application.isTerminated)
    await app.settle { app.backend.text.contains("Not all is saved") }
    #expect(app.folder.notes.unsavedFiles.map(\.bytes) == [Array("mine one".utf8)])
  }

  /// One note takes the name of another one, and neither can be renamed.
  @Test func namesThatAreGivenBackTakeNoTextAway() async throws {
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

  @Test func aNewNoteThatCannotBeMadeIsMadeLater() async throws {
    let app = try await TestApp()
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

  // MARK: - Settings

  @Test(arguments: [Faults.Call.create, .write, .synchronize, .rename], codes)
  func settingsAreSavedAsSoonAsThatGoes(_ call: Faults.Call, _ code: Int32) async throws {
    let app = try await TestApp()
    let folder = app.folder
    folder.faults.fail(call, with: code)
    app.backend.press("alt+t")
    await app.pass(.zero)
    #expect(folder.notes.settings.value.sortKey == .title && !folder.notes.isSaved)
    #expect(folder.problems.count == 1)
    #expect(app.screen.status.text.hasPrefix("Not saved: "))
    #expect(app.screen.status.text.contains(".notes-settings\"") || code == EIO)

    // Tried again and again, and told of once.
    for _ in 0..<4 { await app.pass(.seconds(5)) }
    #expect(folder.problems.count == 1)
    #expect(app.screen.status.message == nil)
    #expect(app.screen.status.text.hasPrefix("Not saved: "))
    #expect(folder.names == ["a.txt", "b.txt"])

    folder.faults.heal()
    await app.pass(.seconds(5))
    #expect(folder.read(".notes-settings")?.hasPrefix("sort = title\n") == true)
    #expect(app.screen.status.text == "" && folder.notes.unsavedFiles.isEmpty)
    #expect(folder.names == [".notes-settings", "a.txt", "b.txt"])
  }

  /// What somebody has typed matters more.
  @Test func notesAreNamedBeforeTheSettings() async throws {
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

  @Test func quittingAsksForTheSettingsToo() async throws {
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

  @Test func quittingAsks() async throws {
    let app = try await TestApp()
    app.type("mine ", into: "a")
    app.folder.faults.fail(.write, with: ENOSPC)
    app.backend.press("ctrl+q")
    await app.settle { app.backend.text.contains("Not all is saved") }
    #expect(app.backend.text.contains("There is no room for"))
    // To stay is what Return and Esc mean.
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

  @Test func quittingWhenItGoesAgainDoesNotAsk() async throws {
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
