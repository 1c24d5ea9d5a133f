import RunnelLoop
import RunnelNet
import RunnelStreams

/// How a supervisor keeps a child.
public struct ChildRules {
  /// When the child is ready, so that the next one is started.
  public enum Readiness {
    /// When its program runs.
    case started
    /// When it has written a line that contains a text, to the standard output or the standard error.
    case line(containing: String)
    /// When it accepts connections at an address. It is tried every 100 ms.
    case listening(Endpoint)
    /// When it has written to its descriptor 3: see `ProcessOptions.hasNotification`.
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

  /// When the child is started again after it has ended.
  public var restart = Restart.always
  /// The delays before restarts. They grow while the child fails, and begin again after
  /// ``healthyTime``.
  public var backoff = Backoff(initial: .milliseconds(500), maximum: .seconds(30))
  /// The time for which the child must be ready until the delays begin again.
  public var healthyTime = Duration.seconds(10)
  /// The limit beyond which the child is given up; nil to go on without end.
  public var restartLimit: RestartLimit?
  /// When the child is ready.
  public var readiness = Readiness.started
  /// The time in which the child must be ready. A child that is not is stopped, which counts as a
  /// failure.
  public var readinessTime = Duration.seconds(30)
  /// The time after the request to end (`SIGTERM`) until the process group of the child is killed.
  public var grace = Duration.seconds(5)
  /// True to kill the process group of the child when this process ends, even by `kill -9`. A child that
  /// lives on can no longer write to this process. `/bin/sh` is needed.
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
  /// The options of the process.
  var processOptions: ProcessOptions {
    ProcessOptions { options in
      options.environment = environment
      options.workingFolder = workingFolder
      options.hasOwnGroup = true
      options.killsGroupAtExit = true
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
