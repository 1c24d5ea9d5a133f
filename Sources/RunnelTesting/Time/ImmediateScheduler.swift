import RunnelStreams

/// A scheduler that runs each action at once and moves its clock to the action's deadline.
///
/// Use it for tests in which time is irrelevant. An action that is scheduled by another action runs
/// after it, so the stack does not grow; of several such actions, the earliest deadline runs first.
/// A repeating action never ends. Use a ``TestScheduler`` for repeating actions.
public final class ImmediateScheduler: Scheduler {
  private let agenda = TimerQueue()
  private var isRunning = false

  /// The deadline of the last action.
  public private(set) var now: Duration = .zero

  /// Creates a scheduler at time zero.
  public init() {}

  /// Runs an action at once, or after the current action.
  ///
  /// *Disposal*: within an action, cancels and releases a pending one.
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
