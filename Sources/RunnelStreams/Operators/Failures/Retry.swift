extension StreamProtocol {
  /// Observes the stream again when it has failed, up to a number of attempts in all; without a
  /// limit if none is given.
  ///
  ///     source     --1--X
  ///     retry(2)   --1----1--X
  ///
  ///     api.load().retry(3).observe { print($0) }
  ///
  /// *Events*: the failure of the last attempt is handed on. Fewer than one attempt is a mistake of
  /// the caller, and traps.
  ///
  /// *Disposal*: what failed is torn down before it is observed again. Without a limit, a stream
  /// that fails at once is run until the observation is disposed (C8).
  @inlinable
  public func retry(_ attempts: Int = .max) -> EventStream<Element, Failure> {
    require(attempts > 0, "retry(_:) counts all attempts: it needs at least 1.")
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

  /// Observes the stream again when it has failed, each time after a longer pause, up to a number of
  /// attempts in all; without a limit if none is given.
  ///
  ///     source                 1X
  ///     retry(4, backoff: b)   1-1--1----1X   where b waits for 1, 2 and 4 ticks
  ///
  ///     api.load().retry(8, backoff: Backoff(initial: .seconds(2))).observe { print($0) }
  ///
  /// *Events*: the failure of the last attempt is handed on, without a pause. The pauses grow over
  /// the whole observation, also if elements came in between. Fewer than one attempt is a mistake of
  /// the caller, and traps.
  ///
  /// *Disposal*: what failed is torn down before the pause.
  ///
  /// *Timing*: on the given scheduler, else that of the current loop.
  public func retry(
    _ attempts: Int = .max, backoff: Backoff, on scheduler: (any Scheduler)? = nil
  ) -> EventStream<Element, Failure> {
    require(attempts > 0, "retry(_:backoff:) counts all attempts: it needs at least 1.")
    let source = link
    return .unguarded(after: source) { observer in
      let scheduler = scheduler ?? Current.scheduler
      var delays = backoff.delays()
      var left = attempts
      var isPausing = false
      SequentialObservation(observer) { end in
        switch end {
        case .failed:
          guard left > 1 else { return nil }
          left -= 1
          isPausing = true
          return .stream(pause(for: delays.nextDelay(), on: scheduler))
        case .completed:
          guard isPausing else { return nil }
          isPausing = false
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
    let alarm = RestartableTimer(on: scheduler)
    observer.observation.add(alarm)
    alarm.set(after: delay) { observer.completed() }
  }
}
