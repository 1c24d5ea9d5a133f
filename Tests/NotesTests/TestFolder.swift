import Foundation
import Runnel
import RunnelTesting
import TestSupport
import Testing

@testable import Notes

/// A folder of notes for one test, which is removed with this object.
@MainActor
final class TestFolder {
  nonisolated let path: String
  let scheduler = TestScheduler()
  /// The faults of system calls in the notes' folder.
  let faults = Faults()
  /// A loop that watches the folders of all tests, because tests have no main thread for the main
  /// loop. It never stops, so that it can finish work after a test has ended.
  private static let loop = EventLoop(name: "watcher")
  /// The number of folders that may still be opened, and the tests waiting for one. A user may have
  /// 128 inotify instances, which other tests need too.
  private static var freeSlots = 24
  private static var waiting: [CheckedContinuation<Void, Never>] = []
  private var hasSlot = false
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
    if hasSlot { Task { @MainActor in Self.releaseSlot() } }
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Creates the app's model with virtual time; only the file system is real.
  func makeNotes() -> NoteFolder {
    let (loop, path) = (Self.loop, path + "/notes")
    let changes = EventStream<Void, FileWatchError>.just(()).via(loop) {
      // A rescan is sent once the folder is being watched.
      $0.flatMap { _ in .merge(loop.changes(at: path, recursively: true), .just(.rescan)) }
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
    await acquireSlot()
    notes.open()
    await settle { self.isWatched }
    await settle { self.notes.progress.value == nil }
  }

  private func acquireSlot() async {
    if Self.freeSlots > 0 {
      Self.freeSlots -= 1
    } else {
      await withCheckedContinuation { Self.waiting.append($0) }
    }
    hasSlot = true
  }

  private static func releaseSlot() {
    if waiting.isEmpty {
      freeSlots += 1
    } else {
      waiting.removeFirst().resume()
    }
  }

  /// Waits for pending file operations, without saving drafts.
  func files() async {
    await notes.files.idle().completion()
  }

  /// Yields to the app and saves until a condition holds.
  func settle(_ condition: () -> Bool) async {
    repeat {
      await notes.flush()
      await Task.yield()
    } while !condition() && !Task.isCancelled
  }

  var titles: [String] { notes.notes.map(\.title).sorted() }

  // MARK: - Changes by other programs

  func write(_ name: String, _ text: String) throws { try write(name, Array(text.utf8)) }

  func write(_ name: String, _ bytes: [UInt8]) throws {
    try FileManager.default.createDirectory(
      at: url(name).deletingLastPathComponent(), withIntermediateDirectories: true)
    writeFile("\(path)/notes/\(name)", bytes)
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

  /// The names of all files, sorted.
  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path + "/notes")) ?? []).sorted()
  }
}
