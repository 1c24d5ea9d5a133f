extension StreamProtocol {
  /// Sends the elements that arrive within a time span, then completes.
  ///
  ///     source              --1--2--3--4--|
  ///     take(for: 8 ticks)  --1--2--|
  ///
  ///     measurements.take(for: .seconds(10)).observeNext { save($0) }
  ///
  /// *Timing*: uses the given scheduler, or by default ``Current/scheduler``. The span starts
  /// with the observation. A span of zero or less completes at once and does not observe the
  /// source.
  @inlinable
  public func take(
    for span: Duration, on scheduler: (any Scheduler)? = nil
  ) -> EventStream<Element, Failure> {
    if span <= .zero { return .completed }
    let source = link
    return .unguarded(after: source) { observer in
      let upstream = Disposable()
      let output = SerializedObserver(observer, releasing: upstream)
      let timer = RestartableTimer(on: scheduler ?? Current.scheduler)
      let taking = Disposable()
      upstream.add(timer)
      upstream.add(taking)
      timer.set(after: span) {
        _ = taking.beginEnding()
        output.end(.completed)
      }
      guard output.isOpen else { return }
      source.start(in: taking, next: { output.next($0) }, end: { output.end($0) })
    }
  }
}
