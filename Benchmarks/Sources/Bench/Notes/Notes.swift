import CAllocations
import CBaseline
import Foundation
import Runnel
import RunnelDesk
import RunnelTerminal

/// Measures the Notes app with 10,000 notes of 3 kB: its start, and each keystroke of a search up
/// to the bytes for the terminal.
func measureNotes(_ report: inout Report) {
  let path = FileManager.default.temporaryDirectory.appending(path: "notes-\(getpid())").path()
  defer { try? FileManager.default.removeItem(atPath: path) }
  guard let byteCount = try? writeNotes(10_000, to: path) else { return }

  report.ratio(
    "start with 10,000 notes",
    beside: { ContinuousClock().measure { consume(texts(in: path)) }.nanoseconds }
  ) {
    MainActor.assumeIsolated {
      let clock = ContinuousClock()
      let start = clock.now
      let app = NotesApp(path)
      consume(app.frame())
      return start.duration(to: clock.now).nanoseconds
    }
  }

  // Includes the time until the disk has stored the data.
  let file = SafeFile("\(path)/saved.txt")
  _ = try? file.create([])
  var (old, round): ([UInt8], UInt8) = ([], 0)
  report.best("a file of three kilobytes is saved") {
    let clock = ContinuousClock()
    round &+= 1
    let new = [UInt8](repeating: round, count: 3_000)
    defer { old = new }
    return clock.measure { _ = try? file.save(new, over: old) }.nanoseconds
  }
  try? FileManager.default.removeItem(atPath: file.path)

  let before = allocations_bytes_of_all_threads()
  let app = MainActor.assumeIsolated { Kept(NotesApp(path)) }
  let all = Int(allocations_bytes_of_all_threads() - before)
  report.bytes("a note in the memory, without its text", (all - byteCount) / 10_000)
  let copies = texts(in: path).map { strdup($0) }
  defer { for copy in copies { free(copy) } }
  let pointers = copies.map { UnsafePointer($0) }
  let lengths = copies.map { $0.map { strlen($0) } ?? 0 }
  for typed in ["milk and honey", "zyzzyva", "tag:work", "xq", "note 99"] {
    report.ratio(
      "longest keystroke of '\(typed)'",
      beside: {
        ContinuousClock().measure {
          // A byte that is in no note, so that all of each is read.
          consume(baseline_search(pointers, lengths, copies.count, "\u{1}"))
        }.nanoseconds
      }
    ) {
      MainActor.assumeIsolated { app.value.longestKeystroke(of: typed) }
    }
  }
  report.best("an arrow key in the list") {
    MainActor.assumeIsolated { app.value.arrowKey() }
  }
  measureTyping(&report)
}

/// Measures keys in the text of a note: through the model to the bytes for the terminal, with the
/// highlights.
private func measureTyping(_ report: inout Report) {
  let path = FileManager.default.temporaryDirectory.appending(path: "typing-\(getpid())").path()
  defer { try? FileManager.default.removeItem(atPath: path) }
  let line = "- [ ] some **bold** words of a [[note]] #work and milk\n"
  let sizes = [("1 KB", 1_000), ("1 MB", 1_000_000), ("9 MB", 9_000_000)]
  var costs: [Double] = []
  for (_, size) in sizes {
    let folder = "\(path)/\(size)"
    let text = String(repeating: line, count: size / line.utf8.count)
    guard
      (try? FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)) != nil,
      (try? Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/Note.md"))) != nil
    else { return }
    let app = MainActor.assumeIsolated { Kept(NotesApp(folder)) }
    costs.append(MainActor.assumeIsolated { app.value.keyInText() })
  }
  for (size, cost) in zip(sizes, costs).dropFirst() {
    report.ratio("a key in a note of \(size.0)", cost, to: costs[0])
  }
}

/// Reads all notes of a folder with the functions of the system, as a program without an app would.
private func texts(in path: String) -> [String] {
  let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
  return names.filter { $0.hasSuffix(".txt") }.compactMap {
    try? String(contentsOfFile: "\(path)/\($0)", encoding: .utf8)
  }
}

/// The app with a headless backend of 200 × 60 cells.
@MainActor
private final class NotesApp {
  private let backend = HeadlessBackend(Size(width: 200, height: 60))
  private let application: Application
  private let controller: NotesController
  private var writer = FrameWriter(colors: .full)
  private var last: Grid?

  /// Creates the app, and returns after all notes have been read.
  init(_ path: String) {
    let folder = NoteFolder(Folder(path), trash: Trash(dataHome: "\(path)/data"))
    application = Application(backend: backend)
    controller = NotesController(folder, in: application)
    application.show(controller.screen.window)
    controller.screen.window.makeFirstResponder(controller.screen.search)
    EventLoop.main.execute { MainActor.assumeIsolated { folder.open() } }
    EventLoop.main.run(until: folder.progress.updates.filter { $0 == nil })
  }

  /// Returns the bytes that update the terminal.
  func frame() -> [UInt8] {
    let next = backend.grid
    defer { last = next }
    return writer.bytes(from: last, to: next)
  }

  /// Returns the time of an arrow key in the list, which shows the next note.
  func arrowKey() -> Double {
    consume(frame())
    return ContinuousClock().measure {
      backend.press("down")
      consume(frame())
    }.nanoseconds
  }

  /// Returns the least time of a key in the middle of the text of the first note.
  func keyInText() -> Double {
    for key in ["down", "enter", "ctrl+end", "pageup"] {
      backend.press(key)
      consume(frame())
    }
    let clock = ContinuousClock()
    let times = (0..<100).map { _ in
      clock.measure {
        backend.type("x")
        consume(frame())
      }.nanoseconds
    }
    return times.min() ?? 0
  }

  /// Returns the time until the screen is updated, for the slowest key of typing a text and
  /// deleting it again.
  func longestKeystroke(of typed: String) -> Double {
    consume(frame())
    let clock = ContinuousClock()
    let times = (typed.map { String($0) } + ["backspace", "escape"]).map { key in
      clock.measure {
        if key.count == 1 { backend.type(key) } else { backend.press(key) }
        consume(frame())
      }.nanoseconds
    }
    return times.max() ?? 0
  }
}

// Safety: benchmarks run on the main thread only.
private struct Kept: @unchecked Sendable {
  let value: NotesApp

  init(_ value: NotesApp) { self.value = value }
}

/// Writes notes whose words are about as frequent as in a natural language. Returns the number of bytes
/// of all notes.
private func writeNotes(_ count: Int, to path: String) throws -> Int {
  try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  var state: UInt64 = 1
  func random(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % bound
  }
  let letters = Array("etaoinshrdlucmfwypvbgk")
  let words = (0..<4_000).map { _ in
    String((0..<2 + random(8)).map { _ in letters[min(random(22), random(22))] })
  }
  var byteCount = 0
  for number in 0..<count {
    // The higher the index of a word, the rarer it is.
    let text = (0..<500).map { _ in words[random(1 + random(1 + random(4_000)))] }
    let tag = number % 50 == 0 ? "\n#work\n" : "\n"
    let content = "\(text.joined(separator: " ")) milk \(number)\(tag)"
    try Data(content.utf8).write(to: URL(fileURLWithPath: "\(path)/Note \(number).txt"))
    byteCount += content.utf8.count
  }
  return byteCount
}
