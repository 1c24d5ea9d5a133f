import Glibc

/// A runner of scripts for an application with a headless backend, or a window, and real files.
///
///     let runner = ScriptRunner(application, on: backend, folder: "notes")
///     try await runner.run(try Script("type milk\nexpect \"1 note\""))
@MainActor
public struct ScriptRunner {
  /// The folder that relative paths in scripts refer to.
  public var folder: String
  /// Lets time pass for the application.
  public var advance: (Duration) async -> Void = { try? await Task.sleep(for: $0) }
  /// Returns when the application's background work, such as reading files, is done.
  public var work: () async -> Void = {}
  /// Receives the output of the `screen` and `styles` steps.
  public var output: (String) -> Void = { print($0) }
  /// The longest time to wait for an expectation.
  public var patience = Duration.seconds(10)

  private let application: Application
  private let backend: any ScriptableBackend

  /// Creates a runner for an application shown by a backend.
  public init(_ application: Application, on backend: any ScriptableBackend, folder: String = ".") {
    self.application = application
    self.backend = backend
    self.folder = folder
  }

  /// Runs a script. Throws an error for the first step that fails.
  public func run(_ script: Script) async throws(ScriptError) {
    for line in script.steps {
      do throws(Mismatch) {
        try await run(line.step)
      } catch {
        throw ScriptError(line: line.number, "\(error.message)\n\(screen)")
      }
    }
  }

  private struct Mismatch: Error {
    let message: String
  }

  private var screen: String {
    "The screen shows:\n" + backend.grid.lines.map { "|\($0)" }.joined(separator: "\n")
  }

  private func run(_ step: ScriptStep) async throws(Mismatch) {
    switch step {
    case .send(let events): for event in events { backend.send(event) }
    case .click(let place, let count):
      let point = try await find(place)
      for _ in 0..<count {
        backend.send(.mouse(MouseEvent(.press(.left), at: point)))
        backend.send(.mouse(MouseEvent(.release(.left), at: point)))
      }
    case .drag(let start, let end):
      let first = try await find(start)
      let last = try await find(end)
      backend.send(.mouse(MouseEvent(.press(.left), at: first)))
      backend.send(.mouse(MouseEvent(.drag(.left), at: last)))
      backend.send(.mouse(MouseEvent(.release(.left), at: last)))
    case .wheel(let direction, let place):
      backend.send(.mouse(MouseEvent(.wheel(direction), at: try await find(place))))
    case .write(let path, let text, nil): try write(text, to: path)
    case .write(let path, let text, let time?): try put(text, at: path, time: time)
    case .remove(let path): try check(unlink(full(path)), "\(path) cannot be removed")
    case .move(let path, let other):
      try check(rename(full(path), full(other)), "\(path) cannot be moved to \(other)")
    case .advance(let duration): await advance(duration)
    case .settle: await settle()
    case .print(let withStyles): output(withStyles ? backend.grid.styledText : backend.grid.text)
    case .picture(let path): try write(try currentPicture(), to: path)
    case .expect(let text):
      try await wait("\"\(text)\" is not on the screen.") { isOnScreen(text) }
    case .refuse(let text):
      try await wait("\"\(text)\" is on the screen.") { !isOnScreen(text) }
    case .expectCursor(let point):
      try await wait("The cursor is not at \(point).") { backend.grid.cursor == point }
    case .expectClipboard(let text):
      try await wait("The text on the clipboard is not \"\(text)\".") { backend.clipboard == text }
    case .expectFile(let path, let text):
      let words = text.map { "The text of \(path) is not \"\($0)\"." } ?? "\(path) exists."
      // Files are saved while the application ends.
      try await wait(words, afterEnd: true) { read(path) == text }
    case .expectScreen(let lines):
      try await wait("The screen shows something else.") { shown == lines }
    case .expectEnd:
      try await wait("The application has not ended.") { application.isTerminated }
    }
  }

  private func currentPicture() throws(Mismatch) -> [UInt8] {
    let bytes = backend.picture
    if bytes.isEmpty {
      throw Mismatch(
        message: "The window has not been drawn. It must be visible and free to resize.")
    }
    return bytes
  }

  // MARK: - Waiting

  private func isOnScreen(_ text: String) -> Bool { backend.grid.firstPlace(of: text) != nil }

  /// The lines of the screen, without trailing empty lines.
  private var shown: [String] {
    var lines = backend.grid.lines
    while lines.last == "" { lines.removeLast() }
    return lines
  }

  /// Checks a condition repeatedly until it holds. Fails early if the application has ended, because
  /// it then shows nothing more, unless the condition may also begin to hold after that.
  private func wait(
    _ message: String, afterEnd: Bool = false, until isSo: @escaping () -> Bool
  ) async throws(Mismatch) {
    let clock = ContinuousClock()
    let end = clock.now + patience
    while !isSo() {
      if clock.now >= end || (application.isTerminated && !afterEnd) {
        throw Mismatch(message: message)
      }
      try? await Task.sleep(for: .milliseconds(1))
    }
  }

  /// Waits until the application is idle. Each round delivers pending events of the main loop and
  /// waits for the work that they start, which may cause further events: file changes, for example.
  private func settle() async {
    for _ in 0..<3 {
      await listen()
      await work()
    }
  }

  /// Lets the main loop process its ready descriptors. The first `yield` returns after the loop has
  /// polled them, and the second one after the loop has handled the events.
  private func listen() async {
    for _ in 0..<2 { await Task.yield() }
  }

  // MARK: - Places and files

  private func find(_ place: ScriptStep.Place) async throws(Mismatch) -> Point {
    switch place {
    case .cell(let point): return point
    case .text(let text):
      try await wait("\"\(text)\" is not on the screen.") { isOnScreen(text) }
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
    try write(Array(text.utf8), to: path)
  }

  private func write(_ bytes: [UInt8], to path: String) throws(Mismatch) {
    let full = full(path)
    // If a folder cannot be created, writing the file fails.
    for end in full.indices.dropFirst() where full[end] == "/" {
      mkdir(String(full[..<end]), 0o755)
    }
    do throws(TextFile.Failure) {
      try TextFile(path: full).write(bytes)
    } catch {
      throw Mismatch(message: "\(path) cannot be written: \(error.message).")
    }
  }

  /// Writes a temporary file, sets its modification time, and then moves it to its path.
  private func put(_ text: String, at path: String, time: Int) throws(Mismatch) {
    let other = "\(path)~"
    try write(text, to: other)
    let stamp = timespec(tv_sec: time, tv_nsec: 0)
    try check(
      utimensat(AT_FDCWD, full(other), [stamp, stamp], 0), "the time of \(path) cannot be set")
    try check(rename(full(other), full(path)), "\(path) cannot be written")
  }

  /// Returns the text of a file, or nil if it cannot be read.
  private func read(_ path: String) -> String? { try? TextFile(path: full(path)).read() }
}
