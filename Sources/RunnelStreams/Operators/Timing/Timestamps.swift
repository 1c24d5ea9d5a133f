extension StreamProtocol {
  /// Pairs each element with the time at which it arrived.
  ///
  ///     source         --a---b--|
  ///     timestamps()   --2a--6b-|   in ticks
  ///
  ///     keys.timestamps().observeNext { time, key in log("\(key) at \(time)") }
  ///
  /// *Timing*: reads the clock of the given scheduler, or by default of ``Current/scheduler``.
  /// Times are relative to the origin of that scheduler. Sets no timer.
  @inlinable
  public func timestamps(
    on scheduler: (any Scheduler)? = nil
  ) -> EventStream<(time: Duration, element: Element), Failure> {
    let source = link
    return .unguarded(after: source) { observer in
      let scheduler = scheduler ?? Current.scheduler
      source.start(
        Observer(before: observer) { observer.next((time: scheduler.now, element: $0)) })
    }
  }
}
