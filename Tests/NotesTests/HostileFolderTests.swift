import Foundation
import Glibc
import Runnel
import RunnelTesting
import Testing

@testable import Notes

/// Folders with unusual contents, and folders that change at inconvenient times.
@MainActor
@Suite struct HostileFolderTests {
  // MARK: - Files that are not notes

  /// None of them blocks the app: reading a pipe would wait forever.
  @Test func specialFilesAreIgnoredAndPreserved() async throws {
    let folder = try TestFolder()
    let path = folder.path + "/notes"
    mkfifo("\(path)/pipe.md", 0o666)
    mknod("\(path)/socket.md", S_IFSOCK | 0o666, 0)
    symlink("loop.md", "\(path)/loop.md")
    symlink("nowhere", "\(path)/nowhere.md")
    symlink("/dev/zero", "\(path)/endless.md")
    mkdir("\(path)/folder.md", 0o777)
    symlink("folder.md", "\(path)/link.md")
    symlink("real.txt", "\(path)/good.md")
    try folder.write("real.txt", "real")
    await folder.open()
    #expect(folder.titles == ["good", "real"])
    mkfifo("\(path)/later.md", 0o666)
    try folder.write("end.txt", "")
    await folder.settle { folder.titles == ["end", "good", "real"] }
    // A link remains a link, and its target is edited.
    folder.notes.edit("good.md", "typed")
    await folder.settle { folder.notes["real.txt"]?.text == "typed" }
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: "\(path)/good.md") == "real.txt")
    // Anything in the way of a new note is preserved.
    for title in ["pipe", "folder", "loop"] {
      folder.notes.edit(folder.notes.create(title), "typed")
    }
    await folder.notes.flush()
    #expect(folder.titles == ["end", "folder", "good", "loop", "pipe", "real"])
    #expect(folder.problems == [])
  }

  @Test func emptyFilesAndLongNamesAreNotes() async throws {
    let folder = try TestFolder()
    let name = String(repeating: "n", count: 251) + ".txt"
    let id = FileName(name)
    try folder.write(name, "")
    try folder.write("empty.md", "")
    await folder.open()
    #expect(folder.notes["empty.md"]?.text == "" && folder.notes[id]?.text == "")
    folder.notes.edit(id, "mine")
    try folder.write(name, "theirs")
    await folder.settle { folder.conflicts.count == 1 && folder.names.count == 3 }
    #expect(folder.read(name) == "mine")
    let copy = folder.conflicts[0].copy
    #expect(folder.read(copy) == "theirs" && copy.text.utf8.count <= 255)
    folder.notes.delete(id)
    await folder.notes.flush()
    #expect(folder.names.count == 2 && folder.problems == [])
    folder.notes.undo()
    await folder.notes.flush()
    #expect(folder.read(name) == "mine")
  }

  /// An accented letter can be encoded in two ways.
  @Test func differentlyEncodedNamesAreSeparateNotes() async throws {
    let folder = try TestFolder()
    let names: [FileName] = ["caf\u{E9}.txt", "cafe\u{301}.txt"]
    for name in names { try SafeFile("\(folder.path)/notes/\(name.text)").create([]) }
    await folder.open()
    #expect(folder.notes.notes.count == 2)
    folder.notes.edit(names[0], "one")
    folder.notes.edit(names[1], "two")
    folder.notes.setPinned(true, of: names[1])
    await folder.notes.flush()
    #expect(folder.notes[names[0]]?.text == "one" && folder.notes[names[1]]?.text == "two")
    #expect(folder.notes[names[0]]?.isPinned == false && folder.notes[names[1]]?.isPinned == true)
    let again = folder.makeNotes()
    again.open()
    await folder.settle { again.notes.count == 2 && again.progress.value == nil }
    #expect(again[names[0]]?.isPinned == false && again[names[1]]?.isPinned == true)
  }

  /// A sparse file of 1 TB.
  @Test func oversizedNoteIsListedButNotRead() async throws {
    let app = try await TestApp()
    let path = app.folder.url("large.txt").path()
    try app.folder.write("large.txt", "large")
    truncate(path, 1 << 40)
    try app.folder.write("end.txt", "")
    await app.settle { app.folder.titles == ["a", "b", "end", "large"] }
    app.type("typed", into: "large")
    #expect(app.screen.editor.text == "" && !app.screen.editor.isEditable)
    #expect(app.screen.status.text.contains("larger than 10 MB"))
    #expect(app.folder.notes.drafts.isEmpty)
    truncate(path, 5)
    try app.folder.write("large.txt", "small")
    await app.settle { app.screen.editor.text == "small" }
    #expect(app.screen.editor.isEditable)
  }

  // MARK: - Terminal control characters

  @Test func controlCharactersAreNotDisplayed() async throws {
    let app = try await TestApp()
    let name = "\u{1B}[2J\u{1B}]0;x\u{7}\n\r\u{9B}31m.txt"
    try app.folder.write(name, "\u{1B}[31mred\u{7}\u{9B}\r\n")
    await app.settle { app.folder.notes.notes.count == 3 }
    func isHarmless() -> Bool {
      app.backend.text.unicodeScalars.allSatisfy {
        $0 == "\n" || $0.properties.generalCategory != .control
      }
    }
    #expect(isHarmless())
    for _ in 0..<3 where !app.screen.editor.text.contains("red") { app.backend.press("ctrl+j") }
    #expect(app.screen.editor.text.contains("red") && isHarmless())
    for key in ["f2", "enter", "alt+p", "tab"] {
      app.backend.press(key)
      #expect(isHarmless(), "\(key)")
    }
    app.folder.faults.fail(.write, with: ENOSPC)
    app.backend.press("x")
    await app.pass(.seconds(1))
    #expect(isHarmless())
    app.folder.faults.heal()
    app.delete()
    await app.pass(.seconds(5))
    #expect(isHarmless())
  }

  // MARK: - A folder that is replaced

  @Test func draftsSurviveReplacementOfFolderByFile() async throws {
    let folder = try TestFolder()
    try folder.write("a.txt", "one")
    await folder.open()
    for round in 0..<3 {
      folder.notes.edit("a.txt", "typed \(round)")
      try FileManager.default.removeItem(atPath: folder.path + "/notes")
      try Data("file".utf8).write(to: URL(fileURLWithPath: folder.path + "/notes"))
      await folder.notes.flush()
      #expect(folder.notes.text(of: "a.txt") == "typed \(round)")
      #expect(folder.notes.drafts.unsaved.value.count == 1)
      try FileManager.default.removeItem(atPath: folder.path + "/notes")
      try FileManager.default.createDirectory(
        atPath: folder.path + "/notes", withIntermediateDirectories: false)
      await folder.settle { folder.read("a.txt") == "typed \(round)" }
      // New files of other programs are noticed again.
      try folder.write("\(round).txt", "two")
      await folder.settle { folder.notes[FileName("\(round).txt")] != nil }
    }
  }

  /// Files are created, removed and renamed as fast as possible while they are read.
  @Test(arguments: [1, 2] as [UInt64]) func vanishingFilesCauseNoProblems(_ seed: UInt64)
    async throws
  {
    let folder = try TestFolder()
    await folder.open()
    let path = folder.path + "/notes"
    let isOver = Monitor(false)
    let others = Thread {
      var random = SeededGenerator(seed: seed)
      for step in 0..<600 {
        let names = (0..<2).map { _ in "\(path)/\(Int.random(in: 0..<6, using: &random)).txt" }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: unlink(names[0])
        case 1: rename(names[0], names[1])
        default: try? Data("\(step)".utf8).write(to: URL(fileURLWithPath: names[0]))
        }
      }
      isOver.withLock { $0 = true }
    }
    others.start()
    while !isOver.withLock({ $0 }) { await folder.notes.flush() }
    await folder.settle {
      folder.titles == folder.names.map { FileName($0).stem }.sorted()
        && folder.names.allSatisfy { folder.read($0) == folder.notes[FileName($0)]?.text }
    }
    #expect(folder.problems == [], "seed \(seed)")
  }

  // MARK: - Random operations

  /// Notes are edited and renamed, other programs rename them too, and saves fail and succeed. In
  /// the end, the last text of each note, and each text that was never changed, is in a file.
  @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64]) func randomOperationsLoseNoText(_ seed: UInt64)
    async throws
  {
    let folder = try TestFolder()
    var random = SeededGenerator(seed: seed)
    var alive: Set<String> = ["first", "second", "third"]
    for (index, text) in alive.sorted().enumerated() { try folder.write("\(index).txt", text) }
    await folder.open()
    for step in 0..<400 {
      let name = "\(Int.random(in: 0..<6, using: &random)).txt"
      let id = folder.notes.notes.map(\.id).sorted().randomElement(using: &random) ?? "0.txt"
      switch Int.random(in: 0..<16, using: &random) {
      case 0..<5:
        if folder.notes[id] != nil { alive.remove(folder.notes.text(of: id)) }
        alive.insert("typed \(step)")
        folder.notes.edit(id, "typed \(step)")
      case 5: _ = try? folder.notes.rename(id, to: FileName(name).stem)
      case 6, 7:
        // Never replaces another file, not even one created at this moment.
        let path = "\(folder.path)/notes"
        try? SafeFile("\(path)/\(id.text)").move(to: "\(path)/\(name)")
      case 8:
        let call = Faults.Call.allCases.randomElement(using: &random) ?? .write
        folder.faults.fail(call, with: [ENOSPC, EIO, EACCES].randomElement(using: &random) ?? EIO)
      case 9, 10: folder.faults.heal()
      case 11: folder.scheduler.advance(by: .milliseconds(700))
      case 12: await folder.notes.flush()
      case 13: folder.notes.undo()
      default: await Task.yield()
      }
    }
    folder.faults.heal()
    await folder.settle {
      folder.notes.drafts.isEmpty
        && folder.titles
          == folder.names.filter { Note.isName(FileName($0)) }
          .map { FileName($0).stem }.sorted()
        && folder.names.allSatisfy { name in
          !Note.isName(FileName(name)) || folder.read(name) == folder.notes[FileName(name)]?.text
        }
    }
    let texts = Set(folder.names.compactMap { folder.read($0) })
    #expect(alive.subtracting(texts) == [], "seed \(seed): \(folder.names)")
  }
}
