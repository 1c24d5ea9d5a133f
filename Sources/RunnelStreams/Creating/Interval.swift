extension EventStream where Element == Int {
  /// A stream that counts from zero, one number a period, without end.
  ///
  ///     interval(3 ticks)   ---0--1--2--
  ///
  ///     EventStream<Int, Never>.interval(.seconds(1)).take(3).observeNext { print($0) }  // 0 1 2
  ///
  /// *Timing*: the first number comes one period after the observation, on the given scheduler,
  /// else that of the current loop. It does not drift: number *n* is due at start + (*n* + 1) ×
  /// period, however late those before it came; after a pause the missed ones come one after the
  /// other. A period of zero or less is a mistake of the caller, and traps.
  public static func interval(
    _ period: Duration, on scheduler: (any Scheduler)? = nil
  ) -> EventStream {
    require(
      period > .zero,
      "interval(_:) needs a period longer than zero. For a single event, use timer(after:).")
    return .unguarded { observer in
      Ticking(period, scheduler ?? Current.scheduler, into: observer).wait()
    }
  }
}

private final class Ticking<Failure: Error> {
  private let period: Duration
  private let observer: Observer<Int, Failure>
  private let alarm: Alarm
  private let start: Duration
  private var count = 0

  init(_ period: Duration, _ scheduler: any Scheduler, into observer: Observer<Int, Failure>) {
    self.period = period
    self.observer = observer
    alarm = Alarm(on: scheduler)
    start = alarm.now
    observer.observation.add(alarm)
  }

  func wait() {
    let sinceStart = period.multipliedWithSaturation(by: count + 1)
    alarm.set(at: start.addingWithSaturation(sinceStart)) { self.tick() }
  }

  private func tick() {
    let number = count
    count += 1
    wait()
    observer.next(number)
  }
}
