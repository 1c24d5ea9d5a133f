extension StreamProtocol {
  /// Observes the stream again each time it fails, up to `attempts` attempts in total, or without
  /// limit if no number is given.
  ///
  ///     source     --1--X
  ///     retry(2)   --1----1--X
  ///
  ///     api.load().retry(3).observe { print($0) }
  ///
  /// *Events*: the failure of the last attempt fails the result. Fewer than 1 attempt traps.
  ///
  /// *Disposal*: the failed stream is disposed before it is observed again. Without a limit, a
  /// stream that fails immediately is observed again and again until the observation is disposed
  /// (C8).
  @inlinable
  public func retry(_ attempts: Int = .max) -> EventStream<Element, Failure> {
    require(attempts > 0, "retry(_:) needs at least 1 attempt. The first one counts.")
    let source = link
    return .unguarded(after: source) { observer in
      var left = attempts
      SequentialObservation(observer) { end in
        guard case .failed = end, left > 1 else { return nil }
        left -= 1
        return left == 1 ? .last(source) : .stream(source)
      }.begin(with: left == 1 ? .last(source) : .stream(source))
    }
  }

  /// Observes the stream again each time it fails, after increasing delays, up to `attempts`
  /// attempts in total, or without limit if no number is given.
  ///
  ///     source                 1X
  ///     retry(4, backoff: b)   1-1--1----1X   where b waits for 1, 2 and 4 ticks
  ///
  ///     api.load().retry(8, backoff: Backoff(initial: .seconds(2))).observe { print($0) }
  ///
  /// *Events*: the failure of the last attempt fails the result without a delay. A source that did not
  /// fail for as long as the longest delay has worked, so the delays begin again after it; the attempts
  /// are counted on. Fewer than 1 attempt traps.
  ///
  /// *Disposal*: the failed stream is disposed before the delay begins.
  ///
  /// *Timing*: uses the given scheduler, or by default ``Current/scheduler``.
  public func retry(
    _ attempts: Int = .max, backoff: Backoff, on scheduler: (any Scheduler)? = nil
  ) -> EventStream<Element, Failure> {
    require(attempts > 0, "retry(_:backoff:) needs at least 1 attempt. The first one counts.")
    let source = link
    return .unguarded(after: source) { observer in
      let scheduler = scheduler ?? Current.scheduler
      var delays = backoff.delays()
      var left = attempts
      var isPausing = false
      var start = scheduler.now
      SequentialObservation(observer) { end in
        switch end {
        case .failed:
          guard left > 1 else { return nil }
          left -= 1
          isPausing = true
          if scheduler.now - start >= backoff.maximum { delays = backoff.delays() }
          return .stream(pause(for: delays.nextDelay(), on: scheduler))
        case .completed:
          guard isPausing else { return nil }
          isPausing = false
          start = scheduler.now
          return left == 1 ? .last(source) : .stream(source)
        }
      }.begin(with: .stream(source))
    }
  }
}

private func pause<Element, Failure>(
  for delay: Duration, on scheduler: any Scheduler
) -> EventStream<Element, Failure> {
  .unguarded { observer in
    let timer = RestartableTimer(on: scheduler)
    observer.observation.add(timer)
    timer.set(after: delay) { observer.completed() }
  }
}
