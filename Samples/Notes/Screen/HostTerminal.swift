import Runnel

extension ProcessStatus {
  /// The reason why the editor failed, if it did.
  var problem: String? {
    switch self {
    case .exited(0), .unknown: nil
    case .exited(127): "Set EDITOR: it names no program."
    case .exited(let code): "The editor ended with status \(code)."
    case .ended: "A signal ended the editor."
    }
  }
}

/// The terminal around the app. Without one, programs run with no input, and suspending is impossible.
@MainActor
struct HostTerminal {
  /// Returns to the shell until the app is continued.
  var suspend: (() -> Void)?
  /// Runs a command that uses the terminal, and returns its status.
  var run: (ShellCommand) async throws -> ProcessStatus = { try await $0.run() }
}

/// A command of the shell with one argument.
struct ShellCommand: Sendable {
  let arguments: [String]

  private init(_ command: String, _ argument: String) {
    arguments = ["-c", command, "notes", argument]
  }

  /// Opens a file in the user's editor. `VISUAL` and `EDITOR` may contain quoted arguments.
  static func edit(_ path: String) -> ShellCommand {
    ShellCommand("eval \"exec ${VISUAL:-${EDITOR:-vi}} \\\"\\$1\\\"\"", path)
  }

  /// Opens an address in the user's browser.
  static func browse(_ address: String) -> ShellCommand {
    ShellCommand("eval \"exec ${BROWSER:-xdg-open} \\\"\\$1\\\"\"", address)
  }

  /// Runs the command without the terminal, and returns when it has ended.
  @MainActor
  func run() async throws -> ProcessStatus {
    let process = try ChildProcess("/bin/sh", arguments, on: .main) {
      // A browser outlives the app, and its messages are of no use.
      ($0.output, $0.errors, $0.group) = (.discarded, .discarded, .own)
    }
    for await status in process.exit.values { return status }
    return .unknown
  }
}
