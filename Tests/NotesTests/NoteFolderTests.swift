import Foundation
import Glibc
import Runnel
import RunnelTesting
import Testing

@testable import Notes

@MainActor
@Suite struct NoteFolderTests {
  // MARK: - Watching

  @Test func existingNotesAreListed() async throws {
    let folder = try TestFolder()
    for name in ["Milk.txt", "b.md", "c.markdown", "G.TXT"] {
      try folder.write(name, "text of \(name)\n")
    }
    for name in [".hidden.txt", "d.txt~", "e.swp", ".e.txt.swp", "f.jpg", "g"] {
      try folder.write(name, "no note")
    }
    try FileManager.default.createDirectory(
      atPath: folder.path + "/notes/h.txt", withIntermediateDirectories: false)
    await folder.open()
    #expect(folder.titles == ["G", "Milk", "b", "c"])
    #expect(folder.notes["Milk.txt"]?.text == "text of Milk.txt\n")
    #expect(folder.problems == [])
  }

  @Test func externalChangesAppearInList() async throws {
    let folder = try TestFolder()
    await folder.open()
    try folder.write("a.txt", "one")
    await folder.settle { folder.titles == ["a"] }
    try folder.write("a.txt", "two")
    await folder.settle { folder.notes["a.txt"]?.text == "two" }
    try folder.move("a.txt", to: "b.txt")
    await folder.settle { folder.titles == ["b"] }
    try folder.move("b.txt", to: "b.txt~")
    await folder.settle { folder.titles == [] }
    try folder.move("b.txt~", to: "c.md")
    await folder.settle { folder.titles == ["c"] }
    try folder.delete("c.md")
    await folder.settle { folder.titles == [] }
    #expect(folder.problems == [])
  }

  @Test func noteThatIsNotUTF8IsReadOnly() async throws {
    let folder = try TestFolder()
    try folder.write("a.txt", [0x61, 0xFF])
    await folder.open()
    #expect(folder.notes["a.txt"]?.isReadOnly == true)
    folder.notes.edit("a.txt", "mine")
    await folder.notes.flush()
    #expect(try Data(contentsOf: folder.url("a.txt")) == Data([0x61, 0xFF]))
  }

  @Test func draftIsSavedWhenFolderReappears() async throws {
    let folder = try TestFolder()
    try folder.write("a.txt", "one")
    try folder.write("b.txt", "two")
    await folder.open()
    folder.notes.edit("a.txt", "typed")
    try FileManager.default.removeItem(atPath: folder.path + "/notes")
    await folder.settle { folder.titles == ["a"] }
    #expect(folder.problems.contains { $0.hasPrefix("a: Check that the folder exists") })
    try FileManager.default.createDirectory(
      atPath: folder.path + "/notes", withIntermediateDirectories: false)
    await folder.settle { folder.read("a.txt") == "typed" }
    #expect(folder.titles == ["a"])
  }

  /// The reappearance of the folder is sufficient: no other event occurs and no time passes.
  @Test func failedSavesAreRetriedWhenFolderReappears() async throws {
    let folder = try TestFolder()
    try folder.write("a.txt", "one")
    await folder.open()
    try FileManager.default.removeItem(atPath: folder.path + "/notes")
    folder.notes.edit("a.txt", "typed")
    folder.notes.setPinned(true, of: "a.txt")
    folder.notes.drafts.save()
    await folder.files()
    #expect(folder.notes.saveProblems.map(\.note) == ["a.txt", nil])
    try FileManager.default.createDirectory(
      atPath: folder.path + "/notes", withIntermediateDirectories: false)
    while !folder.notes.isSaved, !Task.isCancelled { await Task.yield() }
    #expect(folder.read("a.txt") == "typed")
    #expect(folder.read(".notes-settings")?.contains("pinned = a.txt\n") == true)
  }

  /// Such a file is ignored and preserved. It is not confused with a name that contains replacement
  /// characters.
  @Test func fileWhoseNameIsNotUTF8IsIgnored() async throws {
    let folder = try TestFolder()
    let path = Array("\(folder.path)/notes/".utf8CString.dropLast()) + [-1] + ".txt".utf8CString
    let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666)
    write(file, "bytes", 5)
    close(file)
    try folder.write("a.txt", "one")
    await folder.open()
    #expect(folder.titles == ["a"])
    rename(path, path.dropLast(5) + [-2] + ".txt".utf8CString)
    try folder.write("b.txt", "two")
    await folder.settle { folder.titles == ["a", "b"] }
    let id = folder.notes.create("\u{FFFD}")
    folder.notes.edit(id, "typed")
    await folder.notes.flush()
    #expect(folder.read(id) == "typed" && folder.titles.count == 3)
    #expect(folder.names.count == 4 && folder.problems == [])
  }

  // MARK: - Saving

  @Test func editsAreSavedHalfASecondAfterTheFirst() async throws {
    let folder = try TestFolder()
    try folder.write("a.txt", "one")
    await folder.open()
    for text in ["one t", "one tw", "one two"] {
      folder.notes.edit("a.txt", text)
      folder.scheduler.advance(by: .milliseconds(150))
    }
    #expect(folder.notes.text(of: "a.txt") == "one two")
    await folder.files()
    #expect(folder.read("a.txt") == "one")
    folder.scheduler.advance(by: .milliseconds(50))
    await folder.files()
    #expect(folder.read("a.txt") == "one two")
    #expect(folder.notes["a.txt"]?.text == "one two")
    folder.scheduler.advance(by: .seconds(9))
    await folder.files()
    #expect(folder.saved == ["a.txt"])
    #expect(folder.names == ["a.txt"])
  }

  /// A process that is killed loses at most half a second of typing.
  @Test(arguments: [10, 70, 300, 499, 500, 501, 900])
  func steadyTypingIsSavedEveryHalfSecond(_ milliseconds: Int) async throws {
    let folder = try TestFolder()
    try folder.write("a.txt", "")
    await folder.open()
    let pause = Duration.milliseconds(milliseconds)
    let keys = 9_000 / milliseconds
    for count in 1...min(keys, 100) {
      folder.notes.edit("a.txt", String(repeating: "x", count: count))
      folder.scheduler.advance(by: pause)
      await folder.files()
      let unsaved = count - (folder.read("a.txt")?.count ?? 0)
      #expect(pause * unsaved <= .milliseconds(500), "key \(count)")
    }
    // It does not save more often than that, either.
    #expect(pause * keys >= .milliseconds(500) * folder.saved.count)
  }

  @Test func flushSavesImmediately() async throws {
    let folder = try TestFolder()
    try folder.write("a.txt", [0xEF, 0xBB, 0xBF] + Array("one\r\ntwo".utf8))
    await folder.open()
    #expect(folder.notes.text(of: "a.txt") == "one\ntwo")
    folder.notes.edit("a.txt", "one\nthree\ntwo")
    await folder.notes.flush()
    #expect(folder.read("a.txt") == "\u{FEFF}one\r\nthree\r\ntwo")
    folder.notes.edit("a.txt", "one\ntwo")
    folder.notes.edit("a.txt", "one\nthree\ntwo")
    await folder.notes.flush()
    #expect(folder.saved == ["a.txt"])
  }

  /// The list does not flicker, however often the app's own saves are reported.
  @Test func ownSavesCauseNoExtraListEvents() async throws {
    let folder = try TestFolder()
    try folder.write("a.txt", "0")
    await folder.open()
    var counts: [Int] = []
    var texts: [String] = []
    let observation = folder.notes.notes.observe {
      counts.append($0.collection.count)
      texts.append($0.collection.first?.text ?? "")
    }
    for number in 1...10 {
      folder.notes.edit("a.txt", "\(number)")
      await folder.notes.flush()
    }
    try folder.write("end.txt", "")
    await folder.settle { folder.titles == ["a", "end"] }
    observation.dispose()
    #expect(counts.dropLast().allSatisfy { $0 == 1 })
    #expect(texts.dropLast() == (0...10).map { "\($0)" })
  }

  // MARK: - Conflicts

  @Test func conflictKeepsBothTexts() async throws {
    let folder = try TestFolder()
    try folder.write("a.txt", "base")
    await folder.open()
    folder.notes.edit("a.txt", "mine")
    try folder.write("a.txt", "theirs")
    await folder.settle { folder.conflicts.count == 1 }
    #expect(folder.conflicts == [NoteConflict(id: "a.txt", copy: "a (conflict).txt")])
    await folder.settle { folder.titles == ["a", "a (conflict)"] }
    #expect(folder.notes["a.txt"]?.text == "mine")
    #expect(folder.notes["a (conflict).txt"]?.text == "theirs")
  }

  @Test func editRecreatesNoteDeletedExternally() async throws {
    let folder = try TestFolder()
    try folder.write("a.txt", "base")
    await folder.open()
    folder.notes.edit("a.txt", "mine")
    try folder.delete("a.txt")
    try folder.write("b.txt", "later")
    await folder.settle { folder.titles == ["a", "b"] }
    #expect(folder.read("a.txt") == "mine")
    #expect(folder.conflicts == [])
  }

  /// The edit is undone while another program has changed the file.
  @Test func revertedDraftTakesExternalText() async throws {
    let folder = try TestFolder()
    try folder.write("a.txt", "base")
    await folder.open()
    folder.notes.edit("a.txt", "mine")
    try folder.write("a.txt", "theirs")
    folder.notes.edit("a.txt", "base")
    await folder.settle { folder.notes["a.txt"]?.text == "theirs" }
    #expect(folder.read("a.txt") == "theirs")
    #expect(folder.names == ["a.txt"])
  }

  // MARK: - Failures

  @Test func failedSaveIsKeptAndRetried() async throws {
    let folder = try TestFolder()
    try folder.write("a.txt", "base")
    await folder.open()
    // A folder replaces the file.
    try folder.delete("a.txt")
    let inTheWay = folder.path + "/notes/a.txt"
    folder.notes.edit("a.txt", "mine")
    try FileManager.default.createDirectory(
      atPath: inTheWay, withIntermediateDirectories: false)
    await folder.notes.flush()
    #expect(folder.problems.count == 1)
    #expect(folder.problems.first?.contains("is a folder") == true)
    #expect(folder.notes.text(of: "a.txt") == "mine")
    try FileManager.default.removeItem(atPath: inTheWay)
    await folder.notes.flush()
    #expect(folder.read("a.txt") == "mine")
  }

  // MARK: - Creating, renaming, deleting

  @Test func createdNoteIsListedImmediately() async throws {
    let folder = try TestFolder()
    await folder.open()
    let id = folder.notes.create("Milk")
    #expect(id == "Milk.txt")
    #expect(folder.titles == ["Milk"])
    folder.notes.edit(id, "two bottles")
    #expect(folder.notes.create("Milk") == "Milk 2.txt")
    #expect(folder.notes.create("a/b") == "a-b.txt")
    await folder.notes.flush()
    #expect(folder.names == ["Milk 2.txt", "Milk.txt", "a-b.txt"])
    #expect(folder.read("Milk.txt") == "two bottles")
    #expect(folder.titles == ["Milk", "Milk 2", "a-b"])
  }

  /// A note is created before the scan has found an existing file with the same title.
  @Test func creatingExistingNoteOpensExistingText() async throws {
    let folder = try TestFolder()
    try folder.write("Milk.txt", "theirs")
    let id = folder.notes.create("Milk")
    await folder.open()
    #expect(folder.notes.text(of: id) == "theirs")
    folder.notes.edit(id, "theirs, typed")
    await folder.notes.flush()
    #expect(folder.read("Milk.txt") == "theirs, typed" && folder.names == ["Milk.txt"])
  }

  /// Another program has created the file, and the app does not know it yet.
  @Test func creatingNoteKeepsUnknownExistingFile() async throws {
    let folder = try TestFolder()
    await folder.open()
    try folder.write("Milk.txt", "theirs")
    let id = folder.notes.create("Milk")
    folder.notes.edit(id, "mine")
    await folder.settle { folder.titles.count == 2 }
    #expect(folder.read("Milk.txt") == "mine")
    #expect(folder.read("Milk (conflict).txt") == "theirs")
  }

  @Test func renamingKeepsTextPinAndUndo() async throws {
    let folder = try TestFolder()
    try folder.write("a.md", "one")
    try folder.write("b.md", "two")
    await folder.open()
    folder.notes.setPinned(true, of: "a.md")
    folder.notes.edit("a.md", "typed")
    #expect(throws: TitleError.self) { try folder.notes.rename("a.md", to: "b") }
    let new = try folder.notes.rename("a.md", to: "c")
    #expect(new == "c.md")
    #expect(folder.titles == ["b", "c"])
    folder.notes.edit(new, "typed more")
    await folder.notes.flush()
    #expect(folder.read("c.md") == "typed more")
    #expect(folder.notes["c.md"]?.isPinned == true)
    #expect(folder.names == [".notes-settings", "b.md", "c.md"])
    folder.notes.undo()
    await folder.notes.flush()
    #expect(folder.names == [".notes-settings", "a.md", "b.md"])
    #expect(folder.notes["a.md"]?.isPinned == true)
    folder.notes.undo()
    #expect(folder.titles == ["a", "b"])
  }

  @Test func renameToTakenNameIsReverted() async throws {
    let folder = try TestFolder()
    try folder.write("a.txt", "mine")
    await folder.open()
    try folder.write("b.txt", "theirs")
    folder.notes.edit("a.txt", "mine, typed")
    try folder.notes.rename("a.txt", to: "b")
    #expect(folder.titles == ["b"])
    await folder.files()
    #expect(folder.titles == ["a", "b"])
    #expect(folder.notes.text(of: "a.txt") == "mine, typed")
    #expect(folder.notes["b.txt"]?.text == "theirs")
    await folder.notes.flush()
    #expect(folder.read("a.txt") == "mine, typed")
    #expect(folder.names == ["a.txt", "b.txt"])
    #expect(folder.problems.count == 1)
  }

  /// An edit is saved immediately, before the failure of the rename is known.
  @Test func renameToTakenNameKeepsLaterEdits() async throws {
    let folder = try TestFolder()
    try folder.write("a.txt", "mine")
    await folder.open()
    try folder.write("b.txt", "theirs")
    try folder.notes.rename("a.txt", to: "b")
    folder.notes.edit("b.txt", "mine, typed")
    await folder.notes.flush()
    #expect(folder.read("a.txt") == "mine, typed" && folder.read("b.txt") == "theirs")
    #expect(folder.names == ["a.txt", "b.txt"] && folder.conflicts == [])
    #expect(folder.notes.unsavedFiles.isEmpty && folder.problems.count == 1)
  }

  /// The file was renamed, but the disk has not confirmed it.
  @Test func unconfirmedRenameKeepsNewName() async throws {
    let folder = try TestFolder()
    try folder.write("a.txt", "one")
    await folder.open()
    folder.faults.fail(.confirm, with: EIO)
    try folder.notes.rename("a.txt", to: "b")
    await folder.files()
    #expect(folder.titles == ["b"] && folder.names == ["b.txt"])
    #expect(folder.problems.count == 1)
    folder.faults.heal()
    folder.notes.edit("b.txt", "typed")
    await folder.notes.flush()
    #expect(folder.read("b.txt") == "typed" && folder.names == ["b.txt"])
  }

  /// Notes in subfolders are edited, renamed, pinned, deleted and restored in their folder.
  @Test func notesInSubfoldersStayInTheirFolder() async throws {
    let folder = try TestFolder()
    for path in ["work", ".hidden"] {
      try FileManager.default.createDirectory(
        at: folder.url(path), withIntermediateDirectories: true)
    }
    try folder.write("work/plan.md", "one")
    try folder.write("plan.md", "other")
    try folder.write(".hidden/x.md", "no")
    try FileManager.default.createSymbolicLink(
      atPath: folder.url("link").path(), withDestinationPath: "work")
    await folder.open()
    #expect(folder.titles == ["plan", "plan"])
    folder.notes.edit("work/plan.md", "typed")
    folder.notes.setPinned(true, of: "work/plan.md")
    await folder.notes.flush()
    #expect(folder.read("work/plan.md") == "typed" && folder.read("plan.md") == "other")
    #expect(try folder.notes.rename("work/plan.md", to: "a/b") == "work/a-b.md")
    await folder.notes.flush()
    #expect(folder.read("work/a-b.md") == "typed")
    #expect(folder.notes.settings.value.pinned == ["work/a-b.md"])
    #expect(folder.read(".notes-settings")?.contains("pinned = work/a-b.md\n") == true)
    folder.notes.delete("work/a-b.md")
    await folder.notes.flush()
    #expect(folder.titles == ["plan"])
    folder.notes.undo()
    await folder.settle { folder.titles.count == 2 }
    #expect(folder.read("work/a-b.md") == "typed")
    #expect(folder.notes.create("work/new") == "work/new.txt")
    #expect(folder.problems == [])
  }

  @Test func conflictInSubfolderIsKeptBesideNote() async throws {
    let folder = try TestFolder()
    try FileManager.default.createDirectory(
      at: folder.url("work"), withIntermediateDirectories: true)
    try folder.write("work/a.txt", "one")
    await folder.open()
    folder.notes.edit("work/a.txt", "mine")
    try folder.write("work/a.txt", "theirs")
    await folder.settle { !folder.conflicts.isEmpty && folder.titles.count == 2 }
    #expect(folder.conflicts.map(\.copy) == ["work/a (conflict).txt"])
    #expect(folder.read("work/a (conflict).txt") == "theirs" && folder.read("work/a.txt") == "mine")
  }

  @Test func failedDeletionRestoresNote() async throws {
    let folder = try TestFolder()
    try folder.write("a.txt", "one")
    await folder.open()
    // The folder of the trash cannot be created, because a file has its name.
    try Data().write(to: URL(fileURLWithPath: folder.path + "/data"))
    folder.notes.edit("a.txt", "typed")
    folder.notes.delete("a.txt")
    #expect(folder.titles == [])
    await folder.notes.flush()
    await folder.notes.flush()
    #expect(folder.titles == ["a"])
    #expect(folder.notes["a.txt"]?.text == "typed")
    #expect(folder.problems.count == 1)
    #expect(folder.notes.drafts.isEmpty)
  }

  /// The text is saved in the folder to which the note was moved, and nowhere else.
  @Test func unsavedTextMovesToAnotherFolder() async throws {
    let folder = try TestFolder()
    try folder.write("a.txt", "one")
    await folder.open()
    folder.notes.edit("a.txt", "two")
    try folder.notes.move("a.txt", toFolder: "Work/2026")
    folder.notes.edit("Work/2026/a.txt", "three")
    await folder.notes.flush()
    #expect(folder.read("Work/2026/a.txt") == "three")
    #expect(folder.notes.subfolders == ["Work", "Work/2026"])
    // Also after the file was read at its new place, and back again.
    folder.notes.edit("Work/2026/a.txt", "four")
    #expect(folder.notes.undo())
    folder.notes.edit("a.txt", "five")
    await folder.notes.flush()
    #expect(folder.read("a.txt") == "five")
    await folder.settle { folder.notes.notes.map(\.id) == ["a.txt"] }
    #expect(folder.problems == [] && folder.notes.isSaved)
    #expect(
      !FileManager.default.fileExists(atPath: folder.path + "/notes/Work/2026/a.txt"))
  }

  /// A scan would not find a note behind a link to a folder, and a moved link may lead elsewhere.
  @Test func linksAreNotMovedAndNotMovedThrough() async throws {
    let folder = try TestFolder()
    try folder.write("a.txt", "one")
    try folder.write("elsewhere", "two")
    let files = FileManager.default
    try files.createSymbolicLink(
      atPath: folder.path + "/notes/Old", withDestinationPath: "..")
    try files.createSymbolicLink(
      atPath: folder.path + "/notes/link.txt", withDestinationPath: "elsewhere")
    await folder.open()
    try folder.notes.move("a.txt", toFolder: "Old")
    try folder.notes.move("link.txt", toFolder: "New")
    await folder.notes.flush()
    await folder.settle { folder.titles == ["a", "link"] }
    #expect(folder.read("a.txt") == "one" && folder.problems.count == 2)
    #expect(folder.notes.subfolders == [])
  }

  @Test func deletedNoteIsInTrashUntilUndone() async throws {
    let folder = try TestFolder()
    try folder.write("a.txt", "one")
    try folder.write("b.txt", "two")
    await folder.open()
    folder.notes.edit("a.txt", "typed")
    folder.notes.delete("a.txt")
    #expect(folder.titles == ["b"])
    folder.notes.delete("b.txt")
    await folder.notes.flush()
    #expect(folder.names == [])
    let trash = folder.path + "/data/Trash/files/a.txt"
    #expect(try String(contentsOfFile: trash, encoding: .utf8) == "typed")
    folder.notes.undo()
    await folder.notes.flush()
    #expect(folder.titles == ["b"])
    folder.notes.undo()
    folder.notes.undo()
    await folder.notes.flush()
    #expect(folder.titles == ["a", "b"])
    #expect(folder.read("a.txt") == "typed")
    #expect(folder.problems == [])
  }

  /// A file with the name of the deleted note appears. The earlier deletion can still be undone, and
  /// the failed one after that.
  @Test func failedRestoreDoesNotBlockEarlierUndo() async throws {
    let folder = try TestFolder()
    for name in ["a.txt", "b.txt"] { try folder.write(name, "old") }
    await folder.open()
    for name in ["a.txt", "b.txt"] as [FileName] { folder.notes.delete(name) }
    await folder.notes.flush()
    try folder.write("b.txt", "new")
    folder.notes.undo()
    await folder.notes.flush()
    #expect(folder.problems.count == 1 && folder.names == ["b.txt"])
    folder.notes.undo()
    await folder.notes.flush()
    #expect(folder.problems.count == 1 && folder.read("a.txt") == "old")
    try folder.delete("b.txt")
    folder.notes.undo()
    await folder.notes.flush()
    #expect(folder.read("b.txt") == "old" && folder.notes.history.actions.isEmpty)
  }

  /// A rename back to a title that is taken does not block an earlier undo either.
  @Test func failedUndoOfRenameDoesNotBlockEarlierUndo() async throws {
    let folder = try TestFolder()
    for name in ["a.txt", "b.txt"] { try folder.write(name, "old") }
    await folder.open()
    folder.notes.delete("a.txt")
    try folder.notes.rename("b.txt", to: "c")
    _ = folder.notes.create("b")
    await folder.notes.flush()
    folder.notes.undo()
    folder.notes.undo()
    await folder.notes.flush()
    #expect(folder.problems.count == 1 && folder.names == ["a.txt", "b.txt", "c.txt"])
  }

  @Test func undoableActionsAreLimited() async throws {
    let folder = try TestFolder()
    try folder.write("a.txt", "old")
    await folder.open()
    for number in 0..<101 {
      let id: FileName = number % 2 == 0 ? "a.txt" : "b.txt"
      try folder.notes.rename(id, to: number % 2 == 0 ? "b" : "a")
    }
    #expect(folder.notes.history.actions.count == 100)
    await folder.notes.flush()
  }

  /// All operations happen without waiting for files.
  @Test func immediateUndoOfDeletionRestoresText() async throws {
    let folder = try TestFolder()
    await folder.open()
    let id = folder.notes.create("a")
    folder.notes.edit(id, "typed")
    folder.notes.delete(id)
    folder.notes.undo()
    await folder.notes.flush()
    #expect(folder.read("a.txt") == "typed")
    #expect(folder.titles == ["a"])
  }

  // MARK: - Settings

  @Test func unknownSettingsArePreserved() async throws {
    let folder = try TestFolder()
    try folder.write("a.txt", "one")
    try folder.write(".notes-settings", "later = better\npinned = a.txt\n")
    await folder.open()
    #expect(folder.notes["a.txt"]?.isPinned == true)
    #expect(folder.read(".notes-settings") == "later = better\npinned = a.txt\n")
    var changes: [Settings] = []
    folder.notes.settings.stream.skip(1).observeNext { changes.append($0) }
    folder.notes.settingsFile.mutate { $0.sortKey = .title }
    folder.notes.setPinned(false, of: "a.txt")
    await folder.notes.flush()
    #expect(folder.read(".notes-settings") == "sort = title\norder = descending\nlater = better\n")
    #expect(folder.notes["a.txt"]?.isPinned == false)
    #expect(changes.map(\.pinned) == [["a.txt"], []])
    #expect(folder.titles == ["a"])
  }

  /// Two instances of the app show the same folder. Neither overwrites the settings of the other.
  @Test func twoInstancesShareSettings() async throws {
    let folder = try TestFolder()
    for name in ["a.txt", "b.txt", "c.txt"] { try folder.write(name, name) }
    await folder.open()
    let other = folder.makeNotes()
    other.open()
    await other.flush()
    folder.notes.setPinned(true, of: "a.txt")
    other.setPinned(true, of: "b.txt")
    other.settingsFile.mutate { $0.sortKey = .title }
    folder.notes.setPinned(true, of: "c.txt")
    await folder.settle {
      folder.notes.settings.value == other.settings.value
        && folder.notes.settings.value.pinned.count == 3
    }
    await other.flush()
    #expect(folder.notes.settings.value.sortKey == .title)
    #expect(folder.notes.notes.allSatisfy(\.isPinned) && other.notes.allSatisfy(\.isPinned))
    // Edited by hand.
    try folder.write(".notes-settings", "sort = date\npinned = b.txt\n")
    await folder.settle { folder.notes.settings.value.pinned == ["b.txt"] }
    #expect(folder.notes.settings.value.sortKey == .date)
    #expect(folder.notes.notes.filter(\.isPinned).map(\.id) == ["b.txt"])
    #expect(folder.problems == [])
    #expect(folder.names == [".notes-settings", "a.txt", "b.txt", "c.txt"])
  }

  // MARK: - Renamed by other programs

  @Test func externalRenameKeepsTextAndPin() async throws {
    let folder = try TestFolder()
    try folder.write("a.txt", "one")
    try folder.write("b.txt", "two")
    await folder.open()
    folder.notes.setPinned(true, of: "a.txt")
    await folder.notes.flush()
    folder.notes.edit("a.txt", "one, typed")
    try folder.move("a.txt", to: "c.md")
    while folder.notes["c.md"] == nil, !Task.isCancelled { await Task.yield() }
    #expect(folder.titles == ["b", "c"])
    #expect(folder.notes["c.md"]?.isPinned == true)
    #expect(folder.notes.text(of: "c.md") == "one, typed")
    await folder.notes.flush()
    #expect(folder.read("c.md") == "one, typed")
    #expect(folder.names == [".notes-settings", "b.txt", "c.md"])
    #expect(folder.read(".notes-settings")?.contains("pinned = c.md\n") == true)
    #expect(folder.conflicts == [] && folder.problems == [])
  }

  /// The edit of the replaced note is in its file in the end, and the text of the file moved there
  /// is kept.
  @Test func externalMoveOntoEditedNoteKeepsAllTexts() async throws {
    let folder = try TestFolder()
    try folder.write("a.txt", "one")
    try folder.write("b.txt", "two")
    await folder.open()
    folder.notes.edit("a.txt", "one, typed")
    folder.notes.edit("b.txt", "two, typed")
    rename("\(folder.path)/notes/a.txt", "\(folder.path)/notes/b.txt")
    await folder.settle { folder.names.count == 3 && folder.notes.drafts.isEmpty }
    #expect(folder.read("a.txt") == "one, typed")
    #expect(folder.read("b.txt") == "two, typed")
    #expect(folder.read("b (conflict).txt") == "one")
  }

  // MARK: - Random operations

  /// After random edits by the app and other programs, the list equals the contents of the files.
  @Test(arguments: [1, 2, 3, 4] as [UInt64]) func listMatchesFilesAfterRandomOperations(
    _ seed: UInt64
  )
    async throws
  {
    var random = SeededGenerator(seed: seed)
    let folder = try TestFolder()
    await folder.open()
    for step in 0..<150 {
      let name = ["a.txt", "b.txt", "c.md"].randomElement(using: &random) ?? ""
      let id = FileName(name)
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<4:
        guard folder.notes[id] != nil else { break }
        folder.notes.edit(id, "mine \(step)")
      case 4..<6: try folder.write(name, "theirs \(step)")
      case 6: if folder.read(name) != nil { try? folder.delete(name) }
      case 7: folder.notes.drafts.save()
      case 8: folder.scheduler.advance(by: .milliseconds(700))
      default: await folder.notes.flush()
      }
    }
    await folder.notes.flush()
    try folder.write("end.txt", "")
    await folder.settle { folder.notes["end.txt"] != nil }
    await folder.settle {
      folder.titles == folder.names.map { FileName($0).stem }.sorted()
        && folder.names.allSatisfy { folder.read($0) == folder.notes[FileName($0)]?.text }
    }
    #expect(folder.notes.drafts.isEmpty, "seed \(seed)")
    #expect(folder.names.allSatisfy { !$0.hasPrefix(".") }, "seed \(seed)")
  }
}
