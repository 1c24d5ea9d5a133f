import RunnelStreams

extension EventLoop: Scheduler {
  /// The time of the monotonic clock: it goes on evenly, whatever becomes of the date.
  public var now: Duration { DeadlineTimer.now }

  /// Calls the action on the loop, at the deadline or after it, never before.
  ///
  /// *Timing*: actions of one deadline in the order they were scheduled; what is due after a delay of
  /// zero leaves descriptors their turn.
  ///
  /// *Complexity*: O(log n) in the number of timers.
  public func schedule(at deadline: Duration, _ action: @escaping () -> Void) -> Disposable {
    mustBeCurrent("schedule(at:)")
    return agenda.add(at: deadline, action)
  }
}
