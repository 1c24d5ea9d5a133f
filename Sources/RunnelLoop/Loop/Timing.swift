import RunnelStreams

extension EventLoop: Scheduler {
  /// The time of the monotonic clock, which is unaffected by changes of the date.
  public var now: Duration { DeadlineTimer.now }

  /// Calls the action on the loop, at the deadline or after it, never before.
  ///
  /// *Timing*: actions with equal deadlines run in the order of scheduling. Actions that reschedule
  /// themselves with a delay of zero do not starve descriptors.
  ///
  /// *Complexity*: O(log n) in the number of timers.
  public func schedule(at deadline: Duration, _ action: @escaping () -> Void) -> Disposable {
    mustBeCurrent("schedule(at:)")
    return agenda.add(at: deadline, action)
  }
}
