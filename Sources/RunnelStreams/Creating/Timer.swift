extension EventStream where Element == Void {
  /// A stream that sends once, after a delay, and completes.
  ///
  ///     timer(after: 3 ticks)   ---x|
  ///
  ///     EventStream<Void, Never>.timer(after: .seconds(1)).observeNext { print("one second") }
  ///
  /// *Timing*: on the given scheduler, else that of the current loop. A delay that is negative
  /// counts as none, which still means a turn of the scheduler.
  public static func timer(
    after delay: Duration, on scheduler: (any Scheduler)? = nil
  ) -> EventStream {
    .unguarded { observer in
      let alarm = RestartableTimer(on: scheduler ?? Current.scheduler)
      observer.observation.add(alarm)
      alarm.set(after: delay) {
        observer.next(())
        observer.completed()
      }
    }
  }
}
