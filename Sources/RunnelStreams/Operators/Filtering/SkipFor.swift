extension StreamProtocol {
  /// Drops the elements that arrive within a time span.
  ///
  ///     source              --1--2--3--4--|
  ///     skip(for: 7 ticks)  --------3--4--|
  ///
  ///     measurements.skip(for: .seconds(2)).observeNext { save($0) }  // after warming up
  ///
  /// *Timing*: uses the given scheduler, or by default ``Current/scheduler``. The span starts
  /// with the observation. A span of zero or less drops nothing. The end of the source is never
  /// delayed.
  @inlinable
  public func skip(
    for span: Duration, on scheduler: (any Scheduler)? = nil
  ) -> EventStream<Element, Failure> {
    let source = link
    if span <= .zero { return source }
    return .gated(source, isOpen: false) { gate, controlling in
      let timer = RestartableTimer(on: scheduler ?? Current.scheduler)
      controlling.add(timer)
      timer.set(after: span) { gate.isOpen = true }
    }
  }
}
