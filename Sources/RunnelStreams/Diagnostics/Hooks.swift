/// A failure of a stream whose observer does not handle failures, or of the reload of a service.
public struct UnhandledFailure: Sendable, CustomStringConvertible {
  /// The part of a program that failed.
  package enum Origin: Sendable {
    case stream
    case reload
  }

  /// The error that the stream failed with, or that the closure of the reload threw.
  public let error: any Error
  /// The source location of the observation, or of the call that added the closure.
  public let location: SourceLocation
  let origin: Origin

  /// A one-line description for a log.
  public var description: String {
    switch origin {
    case .stream:
      """
      A stream observed at \(location) failed without a failure handler: \(error). \
      Pass a failed: closure to observe, or recover before.
      """
    case .reload:
      "The reload added at \(location) failed: \(error). The service continues."
    }
  }
}

/// Elements that accumulate where a stream crosses to another context, because their source cannot
/// wait.
public struct GrowingBacklog: Sendable, CustomStringConvertible {
  /// The number of elements that wait.
  public let waitingCount: Int
  /// The source location of the crossing; nil for ``StreamProtocol/values``, which does not know it.
  public let location: SourceLocation?

  /// A one-line description for a log.
  public var description: String {
    let place = location.map { "at the crossing made at \($0)" } ?? "for a reader of `values`"
    return """
      \(waitingCount) elements wait \(place), and more may come: the source cannot wait. \
      Drop some with buffering: .newest(100), or send fewer.
      """
  }
}

/// Program-wide callbacks for diagnostics.
public enum Hooks {
  /// The closures. A closure that is stored directly in a ``Monitor`` is wrapped again at each access, until a call
  /// overflows the stack. A structure prevents this.
  private struct Handlers {
    var log: @Sendable (LogEntry) -> Void = { StandardError.write($0) }
    var failure: @Sendable (UnhandledFailure) -> Void = { Log("runnel").error("\($0)") }
    var growth: @Sendable (GrowingBacklog) -> Void = { Log("runnel").warning("\($0)") }
  }

  private static let monitor = Monitor(Handlers())

  private static var handlers: Handlers { monitor.withLock { $0 } }

  private static func change(_ change: (inout Handlers) -> Void) {
    let former = monitor.withLock { handlers in
      let former = handlers
      change(&handlers)
      return former
    }
    release(former)
  }

  /// The closure that gets each entry of a ``Log``, on the thread that logs. By default it writes a line
  /// to the standard error. What the closure itself logs goes to the standard error only.
  ///
  ///     let standard = Hooks.log
  ///     Hooks.log = { entry in
  ///       if entry.name != "runnel.net" { standard(entry) }
  ///     }
  public static var log: @Sendable (LogEntry) -> Void {
    get { handlers.log }
    set { change { $0.log = newValue } }
  }

  /// The closure that is called when a stream fails and its observer does not handle failures
  /// (C10), or when the reload of a service fails. It is called on the thread of the stream or the
  /// service. By default it logs an error.
  public static var unhandledFailure: @Sendable (UnhandledFailure) -> Void {
    get { handlers.failure }
    set { change { $0.failure = newValue } }
  }

  /// The closure that is called when 100,000 elements wait at a crossing, once for each observation.
  /// It is called on the thread that sends them. By default it logs a warning.
  public static var growingBacklog: @Sendable (GrowingBacklog) -> Void {
    get { handlers.growth }
    set { change { $0.growth = newValue } }
  }

  static func report(_ backlog: GrowingBacklog) {
    growingBacklog(backlog)
  }

  @usableFromInline
  static func report(_ error: any Error, observedAt location: SourceLocation) {
    unhandledFailure(UnhandledFailure(error: error, location: location, origin: .stream))
  }

  package static func report(_ error: any Error, ofReloadAddedAt location: SourceLocation) {
    unhandledFailure(UnhandledFailure(error: error, location: location, origin: .reload))
  }
}
