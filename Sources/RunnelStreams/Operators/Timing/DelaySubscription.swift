extension StreamProtocol {
  /// Delays the observation of the source by a given time.
  ///
  ///     source                            1--2--|
  ///     delaySubscription(for: 4 ticks)   ----1--2--|
  ///
  ///     seconds.delaySubscription(for: .seconds(5)).observeNext { print($0) }
  ///
  /// *Timing*: uses the given scheduler, or by default ``Current/scheduler``. A negative
  /// duration counts as zero. With a delay of zero, the source is observed in a later turn of the
  /// scheduler.
  public func delaySubscription(
    for delay: Duration, on scheduler: (any Scheduler)? = nil
  ) -> EventStream<Element, Failure> {
    let source = link
    return .unguarded(after: source) { observer in
      let timer = RestartableTimer(on: scheduler ?? Current.scheduler)
      observer.observation.add(timer)
      timer.set(after: delay) {
        observer.observation.detach(timer)
        source.start(observer)
      }
    }
  }
}
