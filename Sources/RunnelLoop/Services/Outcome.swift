extension Lifecycle {
  /// The result of the run of a service.
  public struct Outcome: Sendable {
    /// The cause of the end of a run.
    public enum Reason: Sendable {
      /// The signal SIGTERM, SIGINT or SIGPIPE.
      case signal(Signal)
      /// A call of ``Lifecycle/shutDown()``.
      case request
      /// The setup threw an error.
      case failure(any Error)
      /// ``EventLoop/stop()`` ended the loop, and no shutdown step ran.
      case stop
    }

    /// A step of the shutdown that threw an error.
    public struct Failure: Sendable {
      /// The name of the step.
      public let step: String
      /// The error that the step threw.
      public let error: any Error
    }

    /// The cause of the end.
    public let reason: Reason
    /// The steps that threw an error.
    public let failures: [Failure]
    /// The names of the steps that were not done, in the order in which they run. Includes "setup"
    /// if the setup was not done.
    public let unfinished: [String]

    /// True if the setup and all steps succeeded.
    public var isClean: Bool {
      if case .failure = reason { return false }
      return failures.isEmpty && unfinished.isEmpty
    }

    /// The argument for `exit`: 0 if the outcome is clean, otherwise 1.
    public var exitCode: Int32 { isClean ? 0 : 1 }
  }
}

extension Lifecycle.Outcome: CustomStringConvertible {
  /// One line for a log, with the reason, the failures and the unfinished steps.
  public var description: String {
    let failed = failures.map { "\($0)." }
    let left = unfinished.isEmpty ? [] : ["Not done: \(unfinished.joined(separator: ", "))."]
    return (["The service has ended: \(reason)."] + failed + left).joined(separator: " ")
  }
}

extension Lifecycle.Outcome.Reason: CustomStringConvertible {
  /// A phrase such as `shut down by SIGTERM`.
  public var description: String {
    switch self {
    case .signal(let signal): "shut down by \(signal)"
    case .request: "shut down on request"
    case .failure(let error): "setup failed: \(error)"
    case .stop: "loop stopped"
    }
  }
}

extension Lifecycle.Outcome.Failure: CustomStringConvertible {
  /// The name of the step and its error.
  public var description: String { "Step \"\(step)\" failed: \(error)" }
}
