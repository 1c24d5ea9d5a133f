import Glibc

/// A failure of a stream whose observer does not handle failures.
public struct UnhandledFailure: Sendable, CustomStringConvertible {
  /// The error that the stream failed with.
  public let error: any Error
  /// The source location of the observation.
  public let location: SourceLocation

  /// A one-line description for a log.
  public var description: String {
    """
    A stream observed at \(location) failed without a failure handler: \(error). \
    Pass a failed: closure to observe, or recover before.
    """
  }
}

/// Program-wide callbacks for diagnostics.
public enum Hooks {
  private static let handler = Monitor<@Sendable (UnhandledFailure) -> Void> { failure in
    let line = Array("\(failure)\n".utf8)
    // An error of `write` is ignored, because there is no other channel to report it.
    _ = write(STDERR_FILENO, line, line.count)
  }

  /// The closure that is called when a stream fails and its observer does not handle failures
  /// (C10). It is called on the thread of the stream. By default it prints to standard error.
  public static var unhandledFailure: @Sendable (UnhandledFailure) -> Void {
    get { handler.withLock { $0 } }
    set { release(handler.withLock { exchange(&$0, with: newValue) }) }
  }

  @usableFromInline
  static func report(_ error: any Error, observedAt location: SourceLocation) {
    unhandledFailure(UnhandledFailure(error: error, location: location))
  }
}
