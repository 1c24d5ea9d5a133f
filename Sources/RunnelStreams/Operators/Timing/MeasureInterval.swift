extension StreamProtocol {
  /// Sends the time between each element and the previous one. For the first element, sends the
  /// time since the observation began.
  ///
  ///     source              --a---b-c--|
  ///     measureInterval()   --2---4-2--|   in ticks
  ///
  ///     taps.measureInterval().observeNext { print("\($0) later") }
  ///
  /// *Timing*: reads the clock of the given scheduler, or by default of ``Current/scheduler``. Sets
  /// no timer.
  @inlinable
  public func measureInterval(
    on scheduler: (any Scheduler)? = nil
  ) -> EventStream<Duration, Failure> {
    let source = link
    return .unguarded(after: source) { observer in
      let scheduler = scheduler ?? Current.scheduler
      var previous = scheduler.now
      source.start(
        Observer(before: observer) { _ in
          let now = scheduler.now
          let interval = now - previous
          previous = now
          observer.next(interval)
        })
    }
  }
}
