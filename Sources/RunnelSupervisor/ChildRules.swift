import RunnelLoop
import RunnelNet
import RunnelStreams

/// The rules by which a supervisor keeps a child.
public struct ChildRules: Sendable, Hashable {
  /// The sign that a child is ready, so that the next one can be started.
  public enum Readiness: Sendable, Hashable {
    /// Its program runs.
    case started
    /// It has written a line that contains a text, to the standard output or the standard error.
    case line(containing: String)
    /// It accepts connections at an address, which is tried every 100 ms.
    case listening(Endpoint)
    /// It has written to its descriptor 3: see `ProcessOptions.hasNotification`.
    case notification
  }

  /// The destination of what the child writes.
  public enum Output: Sendable, Hashable {
    /// The log, line by line, with the name of the child. ``SupervisedChild/lines`` has them as well.
    case logged
    /// The standard output and the standard error of this process.
    case inherited
    /// Nowhere.
    case discarded
  }

  /// The statuses after which the child is started again.
  public var restart = Restart.always
  /// The delays before restarts. They grow while the child fails, and begin again after
  /// ``healthyTime``.
  public var backoff = Backoff(initial: .milliseconds(500), maximum: .seconds(30))
  /// The time for which the child must be ready until the delays begin again.
  public var healthyTime = Duration.seconds(10)
  /// The limit beyond which the child is given up; nil to go on without end.
  public var restartLimit: RestartLimit?
  /// The sign that the child is ready.
  public var readiness = Readiness.started
  /// The time in which the child must be ready. A child that is not is stopped, which counts as a
  /// failure.
  public var readinessTime = Duration.seconds(30)
  /// The signal that asks the process group of the child to end.
  public var stopSignal = Signal.terminate
  /// The time after that signal until the process group is killed (`SIGKILL`).
  public var grace = Duration.seconds(5)
  /// True to kill the process group of the child when this process ends, even by `kill -9`. `/bin/sh` is
  /// needed. A child that lives on is ended by its next line, unless its output is inherited or
  /// discarded.
  public var endsWithParent = true
  /// The destination of what the child writes.
  public var output = Output.logged
  /// The environment variables; nil to inherit those of this process.
  public var environment: [String: String]?
  /// The working folder; nil to inherit it.
  public var workingFolder: String?

  /// Creates rules that always restart a child, which is ready when it runs.
  public init() {}
}

extension ChildRules {
  /// Traps if the child could never become ready.
  func check() {
    switch (readiness, output) {
    case (.line, .inherited):
      fatalError("Lines are not read from an inherited output. Use the output .logged.")
    case (.listening(.udp), _), (.listening(.tcp("*", port: _)), _):
      fatalError("Readiness needs an address to connect to, such as .tcp(\"127.0.0.1\", port: 80).")
    default: break
    }
  }

  var processOptions: ProcessOptions {
    ProcessOptions { options in
      options.environment = environment
      options.workingFolder = workingFolder
      options.group = .ownUntilExit
      let output: ProcessOptions.Output =
        switch output {
        case .logged: .piped
        case .inherited: .inherited
        case .discarded: .discarded
        }
      (options.output, options.errors) = (output, output)
      if case .notification = readiness { options.hasNotification = true }
      if case .line = readiness, output == .discarded {
        (options.output, options.errors) = (.piped, .piped)
      }
    }
  }
}
