/// A command of the shell with one argument, such as the user's editor with a file.
///
///     let browser = try ShellCommand.open("https://swift.org").start(on: .main)
///     browser.exit.filter { !$0.isSuccess }.observeNext { _ in print("Set BROWSER.") }
public struct ShellCommand: Sendable {
  /// The arguments of `/bin/sh`.
  public let arguments: [String]

  /// Creates a command. In its text, `$1` is the argument.
  public init(_ command: String, _ argument: String) {
    arguments = ["-c", command, "sh", argument]
  }

  /// Opens a file in the user's editor. `VISUAL` and `EDITOR` may contain quoted arguments.
  public static func edit(_ path: String) -> ShellCommand {
    ShellCommand("eval \"exec ${VISUAL:-${EDITOR:-vi}} \\\"\\$1\\\"\"", path)
  }

  /// Returns the reason why the user's editor failed; nil if it did not.
  public static func editorProblem(_ status: ProcessStatus) -> String? {
    switch status {
    case .exited(0), .unknown: nil
    case .exited(127): "Set EDITOR: it names no program."
    case .exited(let code): "The editor ended with status \(code)."
    case .ended: "A signal ended the editor."
    }
  }

  /// Opens an address in the user's browser, or a file in its program. `BROWSER` may contain quoted
  /// arguments.
  public static func open(_ address: String) -> ShellCommand {
    ShellCommand("eval \"exec ${BROWSER:-xdg-open} \\\"\\$1\\\"\"", address)
  }

  /// Starts the command with neither input nor output, in a process group of its own: a browser outlives
  /// the program that starts it, and its messages are of no use.
  public func start(on loop: EventLoop) throws(ProcessError) -> ChildProcess {
    try ChildProcess("/bin/sh", arguments, on: loop) {
      ($0.output, $0.errors, $0.group) = (.discarded, .discarded, .own)
    }
  }
}
