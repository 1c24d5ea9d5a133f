import Glibc
import RunnelLoop
import RunnelStreams
import RunnelTesting
import TestSupport

/// The fixture on a terminal that the test itself plays: it reads what the program writes when it wants
/// to, and answers what it wants to.
///
/// It is for the threads of ``withPseudoTerminal(_:)``, which may wait.
final class PseudoTerminal: Sendable {
  /// `TIOCSPTLCK` and `TIOCGPTN`, which are macros that are not imported.
  private static let setLock: UInt = 0x4004_5431
  private static let getNumber: UInt = 0x8004_5430

  private let master: Int32
  private let isOpen = Monitor(true)
  private let said = Monitor<(text: String, hasEnded: Bool)>(("", false))

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
    precondition(results.allSatisfy { $0 == 0 }, "There are no pseudo terminals.")
    let path = "/dev/pts/\(number)"
    let said = said
    loop.execute {
      do throws(ProcessError) {
        let process = try ChildProcess(fixturePath, arguments + [path], on: loop) { options in
          options.environment = environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
          options.timeout = .seconds(60)
          // What it does to its group it would do to the tests.
          options.hasOwnGroup = true
          options.errors = .discarded
        }
        // A loop that stops before would leave it behind.
        let end = { () -> Void in
          process.exit.observeNext { _ in said.withLock { $0.hasEnded = true } }
        }
        process.standardOutput.observe(
          next: { piece in said.withLock { $0.text += String(decoding: piece, as: UTF8.self) } },
          failed: { error in said.withLock { $0 = ("\(error)", true) } }, completed: { end() })
      } catch {
        said.withLock { $0 = ("\(error)", true) }
      }
    }
  }

  /// Waits until the fixture has said something, or has ended. Returns all that it has said.
  @discardableResult
  func wait(for text: String) -> String {
    said.wait { $0.hasEnded || $0.text.contains(text) ? $0.text : nil } ?? ""
  }

  /// Waits until the fixture has ended. Returns all that it has said.
  func waitForEnd() -> String {
    said.wait { $0.hasEnded ? $0.text : nil } ?? ""
  }

  /// Sends bytes as a person's terminal does.
  func send(_ text: String) {
    _ = Glibc.write(master, text, text.utf8.count)
  }

  /// Has another size, and tells the fixture, which has said what the number of its process is.
  func resize(columns: UInt16, rows: UInt16) {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    let words = said.withLock { $0.text }.split(separator: "\n").first?.split(separator: " ")
    if let process = words?.last.flatMap({ pid_t($0) }) { kill(process, SIGWINCH) }
  }

  /// Reads what the fixture writes, until some text has come.
  @discardableResult
  func read(until text: String) -> String {
    let end = Array(text.utf8)
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    // What came last may be the end of it.
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

  /// Is gone, as the window that somebody closes. A second call does nothing: the number may be that
  /// of something else by then.
  func hangUp() {
    let wasOpen = isOpen.withLock { isOpen in
      defer { isOpen = false }
      return isOpen
    }
    if wasOpen { close(master) }
  }
}

/// Runs the body of a test on a thread that may wait, beside the fixture on a terminal of its own.
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
