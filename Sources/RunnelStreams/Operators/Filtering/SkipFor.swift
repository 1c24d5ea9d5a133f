extension StreamProtocol {
  /// Drops the elements of a span of time.
  ///
  ///     source              --1--2--3--4--|
  ///     skip(for: 7 ticks)  --------3--4--|
  ///
  ///     measurements.skip(for: .seconds(2)).observeNext { save($0) }  // when it has warmed up
  ///
  /// *Timing*: the span begins with the observation, on the given scheduler, else that of the
  /// current loop. One of zero or less drops nothing. The end of the source is never held back.
  @inlinable
  public func skip(
    for span: Duration, on scheduler: (any Scheduler)? = nil
  ) -> EventStream<Element, Failure> {
    let source = link
    if span <= .zero { return source }
    return .unguarded(after: source) { observer in
      let gate = Gate(isOpen: false)
      let alarm = RestartableTimer(on: scheduler ?? Current.scheduler)
      observer.observation.add(alarm)
      alarm.set(after: span) { gate.isOpen = true }
      source.start(
        Observer(
          next: { element in
            if gate.isOpen { observer.next(element) }
          },
          end: { termination in
            observer.end(termination)
            alarm.cancel()
          }, observation: observer.observation))
    }
  }
}
