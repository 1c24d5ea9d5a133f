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

/// The terminal around the app. Without one, programs run with no input.
@MainActor
struct HostTerminal {
  /// Returns to the shell until the app is continued.
  var suspend: () -> Void = {}
  /// Runs a program that uses the terminal, and returns its status.
  var run: (_ program: Program) async throws -> ProcessStatus = { try await $0.run() }

  /// A program with its arguments.
  struct Program: Sendable {
    let name: String
    let arguments: [String]

    /// The user's editor for a file. The shell finds it in `VISUAL` or `EDITOR`, which may contain
    /// arguments.
    static func editor(for path: String) -> Program {
      Program(
        name: "/bin/sh", arguments: ["-c", "exec ${VISUAL:-${EDITOR:-vi}} \"$1\"", "notes", path])
    }

    /// Runs the program, and returns when it has ended.
    @MainActor
    func run(on input: ProcessOptions.Input = .none) async throws -> ProcessStatus {
      let process = try ChildProcess(name, arguments, on: .main) {
        $0.input = input
        $0.output = input == .inherited ? .inherited : .discarded
      }
      for await status in process.exit.values { return status }
      return .exited(0)
    }
  }
}
