extension EventStream where Element == Int {
  /// Returns a stream that counts from zero, one number per period, without end.
  ///
  ///     interval(3 ticks)   ---0--1--2--
  ///
  ///     EventStream<Int, Never>.interval(.seconds(1)).take(3).observeNext { print($0) }  // 0 1 2
  ///
  /// *Timing*: uses the given scheduler, or by default ``Current/scheduler``. The first number
  /// is sent one period after the observation begins. There is no drift: each number is due at a
  /// multiple of the period. If the scheduler is late by more than a period, the missed numbers are
  /// not sent later in a burst, and they are not counted. A period of zero or less traps.
  public static func interval(
    _ period: Duration, on scheduler: (any Scheduler)? = nil
  ) -> EventStream {
    require(
      period > .zero,
      "interval(_:) needs a period longer than zero. For a single event, use timer(after:).")
    return .unguarded { observer in
      var count = 0
      PeriodTimer(of: period, on: scheduler ?? Current.scheduler).begin(in: observer.observation) {
        defer { count += 1 }
        observer.next(count)
      }
    }
  }
}
