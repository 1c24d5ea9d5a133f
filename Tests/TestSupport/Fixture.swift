import Glibc
import RunnelLoop
import RunnelTesting

/// The program LoopFixture in a separate process, for tests that need a main thread or may end it.
///
/// Its methods block. Use it on the thread of ``withFixture(_:environment:_:)``.
package final class Fixture: Sendable {
  /// The result of a process that has ended.
  package enum Ending: Hashable {
    case exit(Int32)
    case signal(Signal)
  }

  package let process: pid_t
  private let input: Int32
  private let output: FixtureOutput

  /// Starts the fixture, or another program, with connected standard streams.
  fileprivate init(_ command: [String], environment: [String: String]) {
    var toChild: [Int32] = [0, 0]
    var fromChild: [Int32] = [0, 0]
    // Not pipes: a process that another test starts meanwhile would inherit their ends.
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    socketpair(AF_UNIX, kind, 0, &toChild)
    socketpair(AF_UNIX, kind, 0, &fromChild)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, toChild[0], 0)
    posix_spawn_file_actions_adddup2(&actions, fromChild[1], 1)
    var arguments = command.map { strdup($0) } + [nil]
    // The backtracer of a trapping process would keep its standard output open; with a sanitizer,
    // forever.
    var defaults = ["SWIFT_BACKTRACE": "enable=no"]
    defaults["ASAN_OPTIONS"] = getenv("ASAN_OPTIONS").map { String(cString: $0) }
    var variables =
      environment.merging(defaults) { given, _ in given }.map { strdup("\($0)=\($1)") } + [nil]
    defer {
      for pointer in arguments + variables { free(pointer) }
      posix_spawn_file_actions_destroy(&actions)
      close(toChild[0])
      close(fromChild[1])
    }
    var process: pid_t = 0
    let status = posix_spawn(&process, command[0], &actions, nil, &arguments, &variables)
    precondition(status == 0, "\(command[0]) does not start: \(String(cString: strerror(status)))")
    self.process = process
    input = toChild[1]
    output = FixtureOutput(fromChild[0])
  }

  deinit {
    close(input)
  }

  /// The path of the program, in the folder of the tests.
  package static let path = folder + "/LoopFixture"

  /// The folder of the tests, which also contains the programs of the package.
  package static let folder: String = {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let length = readlink("/proc/self/exe", &buffer, buffer.count)
    let tests = String(decoding: buffer.prefix(length), as: UTF8.self)
    return tests.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
  }()

  /// Sends a signal to the process.
  package func send(_ signal: Signal) {
    kill(process, signal.rawValue)
  }

  /// Writes a line to the standard input.
  package func write(_ line: String) {
    _ = Glibc.write(input, line + "\n", line.utf8.count + 1)
  }

  /// Waits for the next line of output; returns nil at the end.
  package func readLine() -> String? { output.readLine() }

  /// Returns the lines up to and including `last`.
  package func lines(to last: String) -> [String] {
    var lines: [String] = []
    while let line = readLine() {
      lines.append(line)
      if line == last { break }
    }
    return lines
  }

  /// Returns all lines until the end.
  package func remainingLines() -> [String] {
    var lines: [String] = []
    while let line = readLine() { lines.append(line) }
    return lines
  }

  /// Waits until the process has ended.
  package func wait() -> Ending {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    return Ending(status: status)
  }

  /// Returns the result if the process has ended, otherwise nil.
  package func endingIfAny() -> Ending? {
    var status: Int32 = 0
    return waitpid(process, &status, WNOHANG) == process ? Ending(status: status) : nil
  }
}

extension Fixture.Ending {
  fileprivate init(status: Int32) {
    let signal = status & 0x7f
    self = signal == 0 ? .exit((status >> 8) & 0xff) : .signal(Signal(rawValue: signal))
  }
}

/// The output of a process, by lines.
// Safety: used by one thread of a test only.
private final class FixtureOutput: @unchecked Sendable {
  private let descriptor: Int32
  private var unread: [UInt8] = []

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit {
    close(descriptor)
  }

  func readLine() -> String? {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        defer { unread.removeSubrange(...end) }
        return String(decoding: unread[..<end], as: UTF8.self)
      }
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      if count <= 0 { return nil }
      unread.append(contentsOf: buffer.prefix(count))
    }
  }
}

/// Runs the body of a test with a process of the fixture, on a thread that may block. The process
/// is killed and reaped afterwards.
package func withFixture<Output: Sendable>(
  _ arguments: [String], environment: [String: String] = [:],
  _ body: @escaping @Sendable (Fixture) -> Output
) async -> Output {
  await withProcess([Fixture.path] + arguments, environment: environment, body)
}

/// Runs the body of a test with a process of any command.
package func withProcess<Output: Sendable>(
  _ command: [String], environment: [String: String] = [:],
  _ body: @escaping @Sendable (Fixture) -> Output
) async -> Output {
  await ManualContext.onThread { _ in
    withProcessHere(command, environment: environment, body)
  }
}

/// The beginning of a command whose program ends with the calling thread, also when the process of the tests is
/// killed.
package let untilParentEnds = ["/usr/bin/setpriv", "--pdeathsig", "KILL", "--"]

/// Runs a body with a process of any command, on a thread that may block already.
package func withProcessHere<Output>(
  _ command: [String], environment: [String: String] = [:], _ body: (Fixture) -> Output
) -> Output {
  let fixture = Fixture(command, environment: environment)
  defer {
    kill(fixture.process, SIGKILL)
    waitpid(fixture.process, nil, 0)
  }
  return body(fixture)
}
