import RunnelStreams

/// A scheduler without waiting: each action runs at once, and the clock jumps to its deadline.
///
/// For tests that do not care about time. An action that is scheduled from within another runs
/// after it, so the stack does not grow, and among several of those the earliest deadline is first.
/// What repeats for ever would run for ever: give that a ``TestScheduler``.
public final class ImmediateScheduler: Scheduler {
  private let agenda = TimerQueue()
  private var isRunning = false

  /// The time that the last action was due.
  public private(set) var now: Duration = .zero

  /// A clock at zero.
  public init() {}

  /// Runs the action at once, or after the one that runs now.
  ///
  /// *Disposal*: from within an action, cancels one that waits, and releases it.
  public func schedule(at deadline: Duration, _ action: @escaping () -> Void) -> Disposable {
    let ticket = agenda.add(at: deadline, action)
    guard !isRunning else { return ticket }
    isRunning = true
    defer { isRunning = false }
    while let deadline = agenda.nextDeadline {
      now = max(now, deadline)
      agenda.popFirst()?()
    }
    return ticket
  }
}
