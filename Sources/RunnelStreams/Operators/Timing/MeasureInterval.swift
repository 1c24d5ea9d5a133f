extension StreamProtocol {
  /// Sends, for each element, how long it came after the one before; for the first, after the
  /// observation.
  ///
  ///     source              --a---b-c--|
  ///     measureInterval()   --2---4-2--|   in ticks
  ///
  ///     taps.measureInterval().observeNext { print("\($0) later") }
  ///
  /// *Timing*: it reads the clock of the given scheduler, else that of the current loop, and sets no
  /// timer.
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
