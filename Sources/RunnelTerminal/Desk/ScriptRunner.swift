import Glibc
import RunnelDesk
import RunnelLoop
import RunnelStreams

/// Runs a script on an application that nobody sees, with real files.
///
///     let runner = ScriptRunner(application, on: backend, folder: "notes")
///     try runner.run(try Script("type milk\nexpect \"1 note\""))
///
/// What the script waits for, the main loop runs for.
@MainActor
public struct ScriptRunner {
  /// What files of the script are in, where their paths are relative.
  public var folder: String
  /// Lets time pass for the application.
  public var advance: (Duration) -> Void = { EventLoop.main.run(for: $0) }
  /// Whether the application has nothing left to do.
  public var isIdle: () -> Bool = { true }
  /// Where it prints to.
  public var output: (String) -> Void = { print($0) }
  /// How long it waits for what it expects.
  public var patience = Duration.seconds(10)

  private let application: Application
  private let backend: HeadlessBackend

  /// A runner for an application that a backend shows.
  public init(_ application: Application, on backend: HeadlessBackend, folder: String = ".") {
    self.application = application
    self.backend = backend
    self.folder = folder
  }

  /// Does what a script says. Throws at the first thing that is not as it says.
  public func run(_ script: Script) throws(ScriptError) {
    for line in script.steps {
      do throws(Mismatch) {
        try run(line.step)
      } catch {
        throw ScriptError(line: line.number, "\(error.message)\n\(picture)")
      }
    }
  }

  private struct Mismatch: Error {
    let message: String
  }

  private var picture: String {
    "The screen shows:\n" + backend.grid.lines.map { "|\($0)" }.joined(separator: "\n")
  }

  private func run(_ step: ScriptStep) throws(Mismatch) {
    switch step {
    case .send(let events): for event in events { backend.send(event) }
    case .click(let place, let count):
      let point = try find(place)
      for _ in 0..<count { backend.click(point) }
    case .drag(let start, let end):
      let (start, end) = (try find(start), try find(end))
      backend.send(.mouse(MouseEvent(.press(.left), at: start)))
      backend.send(.mouse(MouseEvent(.drag(.left), at: end)))
      backend.send(.mouse(MouseEvent(.release(.left), at: end)))
    case .wheel(let direction, let place):
      backend.send(.mouse(MouseEvent(.wheel(direction), at: try find(place))))
    case .write(let path, let text): try write(text, to: path)
    case .remove(let path): try check(unlink(full(path)), "\(path) cannot be removed")
    case .move(let path, let other):
      try check(rename(full(path), full(other)), "\(path) cannot be moved to \(other)")
    case .advance(let duration): advance(duration)
    case .settle: try settle()
    case .print(let withStyles): output(withStyles ? backend.grid.styledText : backend.text)
    case .expect, .refuse, .expectCursor, .expectClipboard, .expectFile, .expectScreen, .expectEnd:
      try expect(step)
    }
  }

  // MARK: - Waiting

  private func expect(_ step: ScriptStep) throws(Mismatch) {
    switch step {
    case .expect(let text):
      try wait("\"\(text)\" is not on the screen.") { backend.grid.firstPlace(of: text) != nil }
    case .refuse(let text):
      try wait("\"\(text)\" is on the screen.") { backend.grid.firstPlace(of: text) == nil }
    case .expectCursor(let point):
      try wait("The cursor is not at \(point).") { backend.grid.cursor == point }
    case .expectClipboard(let text):
      try wait("The clipboard has not \"\(text)\".") { backend.clipboard == text }
    case .expectFile(let path, let text):
      let words = text.map { "\(path) has not \"\($0)\"." } ?? "\(path) is there."
      try wait(words) { read(path) == text }
    case .expectScreen(let lines):
      try wait("The screen shows something else.") { shown == lines }
    case .expectEnd:
      try wait("The application has not ended.") { application.isTerminated }
    default: break
    }
  }

  /// The lines of the screen, without empty ones at the end.
  private var shown: [String] {
    var lines = backend.grid.lines
    while lines.last == "" { lines.removeLast() }
    return lines
  }

  /// Runs the main loop until something is so.
  private func wait(_ message: String, until isSo: @escaping () -> Bool) throws(Mismatch) {
    if isSo() { return }
    let loop = EventLoop.main
    let success = EventStream<Int, Never>.interval(.milliseconds(1), on: loop)
      .filter { _ in isSo() }.map { _ in true }
    let defeat = EventStream<Void, Never>.timer(after: patience, on: loop).map { false }
    if loop.run(until: EventStream.merge(success, defeat)) != true {
      throw Mismatch(message: message)
    }
  }

  private func settle() throws(Mismatch) {
    // What others did to files is noticed in a turn of the loop, and may give work in the next one.
    var turns = 0
    try wait("There is still something to do.") {
      turns = isIdle() ? turns + 1 : 0
      return turns > 3
    }
  }

  // MARK: - Places and files

  private func find(_ place: ScriptStep.Place) throws(Mismatch) -> Point {
    switch place {
    case .cell(let point): return point
    case .text(let text):
      try wait("\"\(text)\" is not on the screen.") { backend.grid.firstPlace(of: text) != nil }
      return backend.grid.firstPlace(of: text) ?? .zero
    }
  }

  private func full(_ path: String) -> String {
    path.hasPrefix("/") ? path : "\(folder)/\(path)"
  }

  private func check(_ result: Int32, _ what: String) throws(Mismatch) {
    if result < 0 { throw Mismatch(message: "\(what): \(String(cString: strerror(errno))).") }
  }

  private func write(_ text: String, to path: String) throws(Mismatch) {
    let file = open(full(path), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    try check(file, "\(path) cannot be written")
    defer { close(file) }
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      try check(Int32(clamping: count), "\(path) cannot be written")
      rest = rest.dropFirst(count)
    }
  }

  /// What is in a file, as text; nil if it cannot be read.
  private func read(_ path: String) -> String? {
    let file = open(full(path), O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(file, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return count == 0 ? String(decoding: bytes, as: UTF8.self) : nil }
      bytes += buffer[..<count]
    }
  }
}
