import Glibc
import RunnelLoop

extension TerminalBackend {
  /// Gives the terminal to a program, such as an editor, until it ends, and returns its status. See
  /// ``lend(_:)``.
  ///
  ///     let backend = try TerminalBackend()
  ///     let status = try await backend.run("nano", ["List.txt"])
  ///     show(status.isSuccess)
  ///
  /// Ctrl-C and Ctrl-\ end only the program: this process ignores `SIGINT` and `SIGQUIT` meanwhile,
  /// as `system` does.
  public func run(
    _ program: String, _ arguments: [String] = []
  ) async throws(ProcessError) -> ProcessStatus {
    let outcome = await lend { () -> Result<ProcessStatus, ProcessError> in
      let ignored = IgnoredSignals([SIGINT, SIGQUIT])
      defer { ignored.restore() }
      do throws(ProcessError) {
        let process = try ChildProcess(program, arguments, on: .main) {
          ($0.input, $0.output, $0.errors) = (.inherited, .inherited, .inherited)
        }
        for await status in process.exit.values { return .success(status) }
        return .success(.unknown)
      } catch {
        return .failure(error)
      }
    }
    return try outcome.get()
  }
}

/// Signals that this process ignores for a while.
private struct IgnoredSignals {
  private let previous: [(number: Int32, action: sigaction)]

  init(_ numbers: [Int32]) {
    previous = numbers.map { number in
      var (ignoring, action) = (sigaction(), sigaction())
      ignoring.__sigaction_handler.sa_handler = SIG_IGN
      sigaction(number, &ignoring, &action)
      return (number, action)
    }
  }

  /// Restores the dispositions of the signals.
  func restore() {
    for (number, action) in previous {
      var action = action
      sigaction(number, &action, nil)
    }
  }
}
