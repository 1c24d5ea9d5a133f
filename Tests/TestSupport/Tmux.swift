import Glibc
import RunnelLoop
import RunnelStreams
import RunnelTesting
import Testing

/// A private tmux server with one window, which runs a script that starts the fixture.
///
/// Its methods block. Use it on the thread of ``withTmux(environment:_:_:)``.
package final class Tmux: Sendable {
  package let folder: String
  private let loop: EventLoop
  /// A FIFO that receives a line each time that the window title changes, and the output of the
  /// program while a test waits for it. It replaces signals of tmux, of which two are combined into
  /// one.
  private let titles: Int32

  fileprivate init(on loop: EventLoop, environment: [String: String], script: String) {
    self.loop = loop
    var name = Array("/tmp/runnel-tmux-XXXXXX".utf8CString)
    mkdtemp(&name)
    folder = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    mkfifo("\(folder)/titles", 0o600)
    titles = open("\(folder)/titles", O_RDWR | O_CLOEXEC | O_NONBLOCK)
    let start = "ulimit -c 0; cd \(folder); tmux wait-for begin\n\(script)\nexec cat"
    let variables = environment.flatMap { ["-e", "\($0.key)=\($0.value)"] }
    run(
      ["-f", "/dev/null", "start-server", ";", "set-option", "-g", "history-limit", "1000", ";"]
        + ["new-session", "-d", "-x", "60", "-y", "10"] + variables + [
          "bash", "--norc", "-c", start,
        ])
    run(["set-option", "-s", "set-clipboard", "on"])
    run(["set-option", "-g", "default-terminal", "tmux-256color"])
    run(["select-pane", "-T", "outside"])
    run(["set-hook", "-g", "pane-title-changed", "run-shell -b 'echo > \(folder)/titles'"])
    run(["wait-for", "-S", "begin"])
  }

  fileprivate func end() {
    run(["kill-server"])
    close(titles)
    for file in ["before", "after", "stopped", "errors", "titles"] { unlink("\(folder)/\(file)") }
    for entry in ["tmux-\(getuid())/default", "tmux-\(getuid())"] { remove("\(folder)/\(entry)") }
    rmdir(folder)
  }

  /// The timeout in milliseconds, far longer than any step takes: a missing event fails the test.
  private static let timeout: Int32 = 60_000

  /// Runs a tmux command, and returns its output.
  @discardableResult
  package func run(_ arguments: [String]) -> String {
    let outcome = Monitor<String?>(nil)
    let folder = folder
    loop.execute { [loop] in
      do throws(ProcessError) {
        let process = try ChildProcess("tmux", ["-u"] + arguments, on: loop) { options in
          options.environment = [
            "PATH": getenv("PATH").map { String(cString: $0) } ?? "", "TMUX_TMPDIR": folder,
            "LC_ALL": "C.UTF-8", "TERM": "xterm-256color", "SHELL": "/bin/sh", "HOME": folder,
          ]
          options.timeout = .milliseconds(Int(Self.timeout))
        }
        let output = Confined<[UInt8]>([])
        process.standardOutput.observe(
          next: { output.value += $0 },
          failed: { error in outcome.withLock { $0 = "\(error)" } },
          completed: {
            process.exit.observeNext { _ in
              outcome.withLock { $0 = String(decoding: output.value, as: UTF8.self) }
            }
          })
      } catch {
        outcome.withLock { $0 = "\(error)" }
      }
    }
    return outcome.wait { $0 } ?? ""
  }

  /// State that only the loop uses.
  // Safety: used on the loop only.
  private final class Confined<Value>: @unchecked Sendable {
    var value: Value
    init(_ value: Value) { self.value = value }
  }

  // MARK: - Window

  /// Returns the value of a tmux format for the window.
  package func value(_ format: String) -> String {
    String(run(["display-message", "-p", format]).prefix { $0 != "\n" })
  }

  /// Waits until the window title has a prefix, and returns the title.
  @discardableResult
  package func wait(forTitle title: String) -> String {
    while true {
      let now = value("#{pane_title}")
      if now.hasPrefix(title) { return now }
      if !waitForEvent() { return "\(now), not \(title)" }
    }
  }

  /// Waits until the window shows a text, or no longer shows it. Returns the shown lines.
  @discardableResult
  package func wait(
    forText text: String, isShown: Bool = true,
    at location: Testing.SourceLocation = #_sourceLocation
  ) -> [String] {
    wait(until: { $0.contains(where: { $0.contains(text) }) == isShown }, at: location)
  }

  /// Waits until a condition holds for the shown lines, and returns them.
  @discardableResult
  package func wait(
    until holds: ([String]) -> Bool, at location: Testing.SourceLocation = #_sourceLocation
  ) -> [String] {
    // Output of the program is a reason to check again.
    run(["pipe-pane", "cat > \(folder)/titles"])
    while true {
      let lines = lines
      if holds(lines) { return lines }
      if !waitForEvent() {
        Issue.record("The window shows something else: \(lines)", sourceLocation: location)
        return lines
      }
    }
  }

  /// Waits for an event of tmux. Returns false at the timeout.
  private func waitForEvent() -> Bool {
    var state = pollfd(fd: titles, events: Int16(POLLIN), revents: 0)
    if poll(&state, 1, Self.timeout) == 0 { return false }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    _ = read(titles, &bytes, bytes.count)
    return true
  }

  /// Waits until the script calls `tmux wait-for -S name`.
  package func wait(for name: String) {
    run(["wait-for", name])
  }

  /// Continues a script that waits in `tmux wait-for name`.
  package func signal(_ name: String) {
    run(["wait-for", "-S", name])
  }

  /// Types keys by their tmux names.
  package func type(_ keys: String...) {
    run(["send-keys"] + keys)
  }

  /// Sends bytes as input of the terminal.
  package func send(_ text: String) {
    run(["send-keys", "-H"] + text.utf8.map { String($0, radix: 16) })
  }

  /// The lines of the window and its history, without trailing spaces.
  package var lines: [String] {
    run(["capture-pane", "-p", "-S", "-"]).split(separator: "\n", omittingEmptySubsequences: false)
      .map {
        var line = $0
        while line.last == " " { line.removeLast() }
        return String(line)
      }
  }

  /// Returns the contents of a file in the folder.
  package func text(of file: String) -> String {
    let descriptor = open("\(folder)/\(file)", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "no \(file)" }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(descriptor, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
  }

  package func write(_ text: String, to file: String) {
    let descriptor = open("\(folder)/\(file)", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    _ = Glibc.write(descriptor, text, text.utf8.count)
    close(descriptor)
  }
}

/// Runs the body of a test with a window that runs a script, on a thread that may block.
package func withTmux<Output: Sendable>(
  environment: [String: String] = [:], _ script: String,
  _ body: @escaping @Sendable (Tmux) -> Output
) async -> Output {
  await ManualContext.onThread { _ in
    let loop = EventLoop(name: "tmux")
    let silence = ["SWIFT_BACKTRACE": "enable=no", "COLORTERM": "truecolor"]
    let variables = environment.merging(silence) { given, _ in given }
    let tmux = Tmux(on: loop, environment: variables, script: script)
    let output = body(tmux)
    tmux.end()
    loop.stop()
    loop.join()
    return output
  }
}

/// The path of the program TerminalFixture, in the folder of the tests.
package let fixturePath = Fixture.folder + "/TerminalFixture"
