import RunnelStreams

/// A turn of a loop that takes long, because a callback blocks the loop or computes for a long time.
public struct SlowTurn: Sendable, CustomStringConvertible {
  /// The name of the loop.
  public let loop: String
  /// The time that the turn has taken until now, at least.
  public let duration: Duration
  /// The functions of the program that the thread of the loop runs, the innermost first. Empty if they
  /// are not known.
  public let stack: [String]

  /// A one-line description for a log.
  public var description: String {
    let place = stack.isEmpty ? "" : " It is in \(stackText)."
    return "A turn of the loop \"\(loop)\" has taken \(duration) until now.\(place)"
  }

  fileprivate var stackText: String { stack.joined(separator: " < ") }
}

extension Hooks {
  /// The closure. Stored directly in a ``Monitor``, it would be wrapped again at each access.
  private struct Handler {
    var call: @Sendable (SlowTurn) -> Void = { turn in
      Log("runnel.loop").warning(
        "A turn of a loop takes long.",
        ["loop": turn.loop, "duration": turn.duration, "stack": turn.stackText])
    }
  }

  private static let slowTurnHandler = Monitor(Handler())

  /// The closure that gets each slow turn of the loops for which
  /// ``EventLoop/reportSlowTurns(after:)`` was called, on the thread of the watchdog, which goes on
  /// when the closure returns. By default it logs a warning.
  public static var slowTurn: @Sendable (SlowTurn) -> Void {
    get { slowTurnHandler.withLock { $0 }.call }
    set { release(slowTurnHandler.withLock { exchange(&$0, with: Handler(call: newValue)) }) }
  }
}
