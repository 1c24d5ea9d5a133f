import CLinux
import Glibc

/// A process whose output a test reads. It ends with the test.
///
/// Its methods block. Use it on a thread that may block.
// Safety: all properties are constant, and the C library locks the file for reading.
final class Child: @unchecked Sendable {
  private let process: pid_t
  private let input: Int32
  private let output: UnsafeMutablePointer<FILE>

  init(_ command: [String]) {
    // Not pipes: a process that another test starts meanwhile would inherit their ends.
    var toChild: [Int32] = [0, 0]
    var fromChild: [Int32] = [0, 0]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    socketpair(AF_UNIX, kind, 0, &toChild)
    socketpair(AF_UNIX, kind, 0, &fromChild)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, toChild[0], STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, fromChild[1], STDOUT_FILENO)
    // Files that other tests are writing would stay open in the child.
    _ = runnel_close_from(&actions, 3)
    var arguments = command.map { strdup($0) } + [nil]
    var process: pid_t = 0
    let status = posix_spawnp(&process, command[0], &actions, nil, &arguments, environ)
    for argument in arguments { free(argument) }
    posix_spawn_file_actions_destroy(&actions)
    close(toChild[0])
    close(fromChild[1])
    guard status == 0, let output = fdopen(fromChild[0], "r") else {
      fatalError("\(command[0]) does not start: \(String(cString: strerror(status)))")
    }
    self.process = process
    self.output = output
    input = toChild[1]
  }

  deinit {
    kill(process, SIGKILL)
    while waitpid(process, nil, 0) < 0 && errno == EINTR {}
    close(input)
    fclose(output)
  }

  /// Waits for the next line of output; returns nil at the end.
  func readLine() -> String? {
    // Safety: allocated by `getline`, and freed here.
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer { free(line) }
    guard getline(&line, &capacity, output) > 0, let line else { return nil }
    return String(String(cString: line).dropLast())
  }
}
