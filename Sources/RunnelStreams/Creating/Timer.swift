extension EventStream where Element == Void {
  /// Returns a stream that sends one element after a delay, and completes.
  ///
  ///     timer(after: 3 ticks)   ---x|
  ///
  ///     EventStream<Void, Never>.timer(after: .seconds(1)).observeNext { print("one second") }
  ///
  /// *Timing*: uses the given scheduler, or by default ``Current/scheduler``. A negative delay
  /// counts as zero. With a delay of zero, the element is sent in a later turn of the scheduler.
  public static func timer(
    after delay: Duration, on scheduler: (any Scheduler)? = nil
  ) -> EventStream {
    .unguarded { observer in
      let timer = RestartableTimer(on: scheduler ?? Current.scheduler)
      observer.observation.add(timer)
      let work = Work.Piece.begin()
      if let work { observer.observation.add(work) }
      timer.set(after: delay) {
        work.deliver {
          observer.next(())
          observer.completed()
        }
      }
    }
  }
}
