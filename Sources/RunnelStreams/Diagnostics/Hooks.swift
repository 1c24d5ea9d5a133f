import Glibc

/// A failure that nobody handles.
public struct UnhandledFailure: Sendable, CustomStringConvertible {
  /// The error that the stream failed with.
  public let error: any Error
  /// Where the observation was made that gave no way to handle it.
  public let location: SourceLocation

  /// One line for a log.
  public var description: String {
    """
    A stream observed at \(location) failed, and nobody handles it: \(error). \
    Observe it with failed:, or recover before.
    """
  }
}

/// Program-wide settings of what happens when something goes wrong.
public enum Hooks {
  private static let handler = Monitor<@Sendable (UnhandledFailure) -> Void> { failure in
    let line = Array("\(failure)\n".utf8)
    // A diagnostic that cannot be written has nowhere else to go.
    _ = write(STDERR_FILENO, line, line.count)
  }

  /// Called, on the thread of the stream, when a stream fails and its observer does not handle
  /// failures (C10). It prints to standard error unless it is set.
  public static var unhandledFailure: @Sendable (UnhandledFailure) -> Void {
    get { handler.withLock { $0 } }
    set { handler.withLock { $0 = newValue } }
  }

  @usableFromInline
  static func report(_ error: any Error, observedAt location: SourceLocation) {
    unhandledFailure(UnhandledFailure(error: error, location: location))
  }
}
