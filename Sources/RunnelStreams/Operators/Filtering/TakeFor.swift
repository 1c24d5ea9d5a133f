extension StreamProtocol {
  /// Takes the elements of a span of time, then completes.
  ///
  ///     source              --1--2--3--4--|
  ///     take(for: 8 ticks)  --1--2--|
  ///
  ///     measurements.take(for: .seconds(10)).observeNext { save($0) }
  ///
  /// *Timing*: the span begins with the observation, on the given scheduler, else that of the
  /// current loop. One of zero or less completes at once and does not observe the source.
  @inlinable
  public func take(
    for span: Duration, on scheduler: (any Scheduler)? = nil
  ) -> EventStream<Element, Failure> {
    if span <= .zero { return .completed }
    let source = link
    return .unguarded(after: source) { observer in
      let upstream = Disposable()
      let output = SerializedObserver(observer, releasing: upstream)
      let alarm = RestartableTimer(on: scheduler ?? Current.scheduler)
      let taking = Disposable()
      upstream.add(alarm)
      upstream.add(taking)
      alarm.set(after: span) {
        _ = taking.beginEnding()
        output.end(.completed)
      }
      guard output.isOpen else { return }
      source.start(in: taking, next: { output.next($0) }, end: { output.end($0) })
    }
  }
}
