import Runnel

/// The terminal around the app. Without one, programs run with no input, and suspending is impossible.
@MainActor
struct HostTerminal {
  /// Returns to the shell until the app is continued.
  var suspend: (() -> Void)?
  /// Runs a command that uses the terminal, and returns its status.
  var run: @MainActor (ShellCommand) async throws -> ProcessStatus = {
    try await $0.start(on: .main).exit.first() ?? .unknown
  }
}
