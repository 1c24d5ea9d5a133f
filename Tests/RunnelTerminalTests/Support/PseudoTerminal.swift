import Glibc
import RunnelLoop
import RunnelStreams
import RunnelTesting
import TestSupport

/// A pseudo terminal with the fixture program. The test plays the terminal: it reads output and
/// sends input.
///
/// Its methods block, so use it on the thread of ``withPseudoTerminal(_:)``.
final class PseudoTerminal: Sendable {
  /// The macros `TIOCSPTLCK` and `TIOCGPTN`, which Swift does not import.
  private static let setLock: UInt = 0x4004_5431
  private static let getNumber: UInt = 0x8004_5430

  private let master: Int32
  private let isOpen = Monitor(true)
  private let printed = Monitor<(text: String, hasEnded: Bool)>(("", false))

  fileprivate init(
    on loop: EventLoop, _ arguments: [String], environment: [String: String]
  ) {
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var (isLocked, number): (Int32, Int32) = (0, 0)
    var size = winsize(ws_row: 30, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0)
    let results = [
      ioctl(master, Self.setLock, &isLocked), ioctl(master, Self.getNumber, &number),
      ioctl(master, UInt(TIOCSWINSZ), &size),
    ]
    precondition(results.allSatisfy { $0 == 0 }, "No pseudo terminal is available.")
    let path = "/dev/pts/\(number)"
    let printed = printed
    loop.execute {
      do throws(ProcessError) {
        let process = try ChildProcess(fixturePath, arguments + [path], on: loop) { options in
          options.environment = environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
          options.timeout = .seconds(60)
          // The fixture may signal its process group, which must not contain the tests.
          options.group = .own
          options.errors = .discarded
        }
        // The exit is observed here: a loop that stops earlier would leave the process behind.
        let end = { () -> Void in
          process.exit.observeNext { _ in printed.withLock { $0.hasEnded = true } }
        }
        process.standardOutput.observe(
          next: { piece in printed.withLock { $0.text += String(decoding: piece, as: UTF8.self) } },
          failed: { error in printed.withLock { $0 = ("\(error)", true) } }, completed: { end() })
      } catch {
        printed.withLock { $0 = ("\(error)", true) }
      }
    }
  }

  /// Waits until the fixture has printed a text or has ended. Returns everything that it has
  /// printed.
  @discardableResult
  func wait(for text: String) -> String {
    printed.wait { $0.hasEnded || $0.text.contains(text) ? $0.text : nil } ?? ""
  }

  /// Waits until the fixture has ended. Returns everything that it has printed.
  func waitForEnd() -> String {
    printed.wait { $0.hasEnded ? $0.text : nil } ?? ""
  }

  /// Sends input to the fixture.
  func send(_ text: String) {
    _ = Glibc.write(master, text, text.utf8.count)
  }

  /// Changes the size of the terminal and signals the fixture, which has printed its process
  /// number.
  func resize(columns: UInt16, rows: UInt16) {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    let words = printed.withLock { $0.text }.split(separator: "\n").first?.split(separator: " ")
    if let process = words?.last.flatMap({ pid_t($0) }) { kill(process, SIGWINCH) }
  }

  /// Reads the fixture's output up to a text.
  @discardableResult
  func read(until text: String) -> String {
    let end = Array(text.utf8)
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    // The text may have begun in an earlier piece.
    var fresh = 0
    while bytes.suffix(fresh + end.count).firstRange(of: end) == nil {
      var state = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
      guard poll(&state, 1, 60_000) > 0 else { break }
      let count = Glibc.read(master, &piece, piece.count)
      guard count > 0 else { break }
      bytes += piece.prefix(count)
      fresh = count
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Closes the terminal, as closing its window does. A second call does nothing, because the
  /// descriptor may have been reused.
  func hangUp() {
    let wasOpen = isOpen.withLock { isOpen in
      defer { isOpen = false }
      return isOpen
    }
    if wasOpen { close(master) }
  }
}

/// Runs the body of a test on a thread that may block, with the fixture on its own pseudo terminal.
func withPseudoTerminal<Output: Sendable>(
  _ arguments: String..., environment: [String: String] = ["TERM": "xterm-256color"],
  _ body: @escaping @Sendable (PseudoTerminal) -> Output
) async -> Output {
  await ManualContext.onThread { _ in
    let loop = EventLoop(name: "pseudo terminal")
    let terminal = PseudoTerminal(on: loop, arguments, environment: environment)
    let output = body(terminal)
    terminal.hangUp()
    _ = terminal.waitForEnd()
    loop.stop()
    loop.join()
    return output
  }
}
