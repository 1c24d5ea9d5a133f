import Foundation
import Runnel
import RunnelTesting
import TestSupport
import Testing

@testable import Notes

/// A folder of notes of its own for a test, which is deleted with the test.
@MainActor
final class TestFolder {
  nonisolated let path: String
  let scheduler = TestScheduler()
  /// What of the folder of the notes is to fail.
  let faults = Faults()
  /// The tests have no main thread that an event loop could run on: this one watches, for all of them.
  /// It never stops: then it also does what is left for it when a test has gone.
  private static let loop = EventLoop(name: "watcher")
  /// A user has 128 watchers, which other tests need too: so many more folders may be open, and who waits
  /// for that.
  private static var turns = 24
  private static var waiting: [CheckedContinuation<Void, Never>] = []
  private var hasTurn = false
  private var isWatched = false
  private(set) var problems: [String] = []
  private(set) var saved: [FileName] = []
  private(set) var conflicts: [NoteConflict] = []
  private(set) lazy var notes = makeNotes()

  init() throws {
    let base = FileManager.default.temporaryDirectory.appending(path: "notes-\(UUID())")
    path = base.path()
    try FileManager.default.createDirectory(
      atPath: path + "/notes", withIntermediateDirectories: true)
  }

  deinit {
    if hasTurn { Task { @MainActor in Self.endTurn() } }
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The app, on virtual time but for the file system.
  func makeNotes() -> NoteFolder {
    let (loop, path) = (Self.loop, path + "/notes")
    let changes = EventStream<Void, FileWatchError>.just(()).via(loop) {
      // Whoever is told to look again looks at what is watched already.
      $0.flatMap { _ in .merge(loop.changes(at: path), .just(.rescan)) }
    }
    let notes = NoteFolder(
      Folder(path, calls: faults.calls), trash: Trash(dataHome: self.path + "/data"),
      changes: changes.do(next: { [weak self] in if $0 == .rescan { self?.isWatched = true } }),
      on: scheduler)
    notes.problems.observeNext { [weak self] in self?.problems.append("\($0)") }
    notes.bus.events(NoteSaved.self).observeNext { [weak self] in self?.saved.append($0.id) }
    notes.bus.events(NoteConflict.self).observeNext { [weak self] in self?.conflicts.append($0) }
    return notes
  }

  func open() async {
    await takeTurn()
    notes.open()
    await settle { self.isWatched }
    await settle { self.notes.progress.value == nil }
  }

  private func takeTurn() async {
    if Self.turns > 0 {
      Self.turns -= 1
    } else {
      await withCheckedContinuation { Self.waiting.append($0) }
    }
    hasTurn = true
  }

  private static func endTurn() {
    if waiting.isEmpty {
      turns += 1
    } else {
      waiting.removeFirst().resume()
    }
  }

  /// Lets the app do with files what it has begun, and not save what is typed.
  func files() async {
    await notes.files.idle().completion()
  }

  /// Lets the app go on until something holds.
  func settle(_ condition: () -> Bool) async {
    repeat {
      await notes.flush()
      await Task.yield()
    } while !condition() && !Task.isCancelled
  }

  var titles: [String] { notes.notes.map(\.title).sorted() }

  // MARK: - Others, who write the same files

  func write(_ name: String, _ text: String) throws { try write(name, Array(text.utf8)) }

  func write(_ name: String, _ bytes: [UInt8]) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: "\(path)/notes/\(name)"))
    waitUntilClosed("\(path)/notes/\(name)")
  }

  func read(_ name: String) -> String? {
    (try? Data(contentsOf: URL(fileURLWithPath: "\(path)/notes/\(name)")))
      .map { String(decoding: $0, as: UTF8.self) }
  }

  func read(_ name: FileName) -> String? { read(name.text) }

  func move(_ name: String, to newName: String) throws {
    try FileManager.default.moveItem(
      atPath: "\(path)/notes/\(name)", toPath: "\(path)/notes/\(newName)")
  }

  func delete(_ name: String) throws {
    try FileManager.default.removeItem(atPath: "\(path)/notes/\(name)")
  }

  func url(_ name: String) -> URL { URL(fileURLWithPath: "\(path)/notes/\(name)") }

  /// The names of all files.
  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path + "/notes")) ?? []).sorted()
  }
}
