extension StreamProtocol {
  /// Observes the source a while later.
  ///
  ///     source                            1--2--|
  ///     delaySubscription(for: 4 ticks)   ----1--2--|
  ///
  ///     seconds.delaySubscription(for: .seconds(5)).observeNext { print($0) }
  ///
  /// *Timing*: on the given scheduler, else that of the current loop. A duration that is negative
  /// counts as none, which still means a turn of the scheduler.
  public func delaySubscription(
    for delay: Duration, on scheduler: (any Scheduler)? = nil
  ) -> EventStream<Element, Failure> {
    let source = link
    return .unguarded(after: source) { observer in
      let alarm = RestartableTimer(on: scheduler ?? Current.scheduler)
      observer.observation.add(alarm)
      alarm.set(after: delay) { source.start(observer) }
    }
  }
}
