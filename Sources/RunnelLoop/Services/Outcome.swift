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
