import RunnelStreams

extension EventLoop {
  /// Reports slow turns to `Hooks.slowTurn`, with the stack of the code that runs: when a turn has
  /// taken as long as the limit, and again when it has taken twice as long as at the last report.
  ///
  ///     EventLoop.main.reportSlowTurns()
  ///
  /// A turn that takes a quarter longer than the limit is always reported. One thread watches all
  /// loops, and sleeps while they wait. For each report it interrupts the thread of the loop with the
  /// signal SIGURG, so that a call such as `sleep` may end early. If the program handles this signal,
  /// the reports have no stack. May be called on any thread.
  ///
  /// *Disposal*: the turns are no longer reported.
  @discardableResult
  public func reportSlowTurns(after limit: Duration = .milliseconds(100)) -> Disposable {
    require(limit > .zero, "The limit of a turn must be longer than zero.")
    execute { [activity] in activity.recordStacks() }
    return Watchdog.shared.watch(activity, of: name, limit: limit)
  }
}
