extension Lifecycle {
  /// How the run of a service has ended.
  public struct Outcome: Sendable {
    /// Why it has ended.
    public enum Reason: Sendable {
      /// A signal: SIGTERM or SIGINT.
      case signal(Signal)
      /// ``Lifecycle/shutDown()``.
      case request
      /// The setup has thrown an error.
      case failure(any Error)
      /// Somebody has stopped the loop: nothing was shut down.
      case stop
    }

    /// A step of the shutdown that has thrown an error.
    public struct Failure: Sendable {
      /// The step's name.
      public let step: String
      /// What it has thrown.
      public let error: any Error
    }

    /// Why it has ended.
    public let reason: Reason
    /// The steps that have thrown an error.
    public let failures: [Failure]
    /// The steps that were not done at the end, in the order in which they run; "setup" if that was
    /// not.
    public let unfinished: [String]

    /// Whether everything went as it should.
    public var isClean: Bool {
      if case .failure = reason { return false }
      return failures.isEmpty && unfinished.isEmpty
    }

    /// What to give to `exit`: 0 if it is clean, else 1.
    public var exitCode: Int32 { isClean ? 0 : 1 }
  }
}

extension Lifecycle.Outcome: CustomStringConvertible {
  /// One line for a log: why the run has ended, what failed, and what was not done.
  public var description: String {
    let failed = failures.map { "\($0)." }
    let left = unfinished.isEmpty ? [] : ["Not done: \(unfinished.joined(separator: ", "))."]
    return (["The service has ended: \(reason)."] + failed + left).joined(separator: " ")
  }
}

extension Lifecycle.Outcome.Reason: CustomStringConvertible {
  /// A part of a sentence, such as `shut down by SIGTERM`.
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
  /// The step and its error.
  public var description: String { "Step \"\(step)\" failed: \(error)" }
}
