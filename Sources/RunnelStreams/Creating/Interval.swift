extension EventStream where Element == Int {
  /// A stream that counts from zero, one number a period, without end.
  ///
  ///     interval(3 ticks)   ---0--1--2--
  ///
  ///     EventStream<Int, Never>.interval(.seconds(1)).take(3).observeNext { print($0) }  // 0 1 2
  ///
  /// *Timing*: the first number comes one period after the observation, on the given scheduler,
  /// else that of the current loop. It does not drift: each number is due a multiple of the period
  /// after the observation, however late those before it came. What a stall made miss is left out
  /// instead of coming in a burst, and counts no number. A period of zero or less is a mistake of the
  /// caller, and traps.
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
