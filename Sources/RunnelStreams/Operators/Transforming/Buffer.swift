extension StreamProtocol {
  /// Collects elements, and sends them in arrays of `count` elements.
  ///
  ///     source              --1--2------3--4------5--|
  ///     buffer(count: 2)    -----[1,2]-----[3,4]-----[5]|
  ///
  ///     trades.buffer(count: 100).observeNext { save($0) }
  ///
  /// *Events*: completion sends the remaining elements, if any; a failure discards them. A count
  /// below 1 traps.
  @inlinable
  public func buffer(count: Int) -> EventStream<[Element], Failure> {
    require(count > 0, "buffer(count:) needs a count of at least 1.")
    let source = link
    return .unguarded(after: source) { observer in
      var elements: [Element] = []
      source.start(
        Observer(
          next: { element in
            elements.append(element)
            guard elements.count == count else { return }
            let full = elements
            elements = []
            observer.next(full)
          },
          end: { termination in
            let rest = elements
            elements = []
            if case .completed = termination, !rest.isEmpty { observer.next(rest) }
            observer.end(termination)
          },
          observation: observer.observation))
    }
  }

  /// Collects the elements of each period, and sends them as an array.
  ///
  ///     source                  --1--2--------3--------------4|
  ///     buffer(for: 8 ticks)    --------[1,2]---[3]-----[]----[4]|
  ///
  ///     trades.buffer(for: .seconds(1)).filter { !$0.isEmpty }.observeNext { save($0) }
  ///
  /// *Events*: one array is sent per period. It is empty if no element arrived. Completion ends the
  /// last period; a failure discards its elements.
  ///
  /// *Timing*: uses the given scheduler, or by default ``Current/scheduler``. The first period
  /// starts with the observation. With a duration of zero or less, each element is sent at once, in
  /// an array of its own, and there are no empty arrays.
  @inlinable
  public func buffer(
    for duration: Duration, on scheduler: (any Scheduler)? = nil
  ) -> EventStream<[Element], Failure> {
    return buffer(for: duration, limit: .max, on: scheduler)
  }

  /// Collects the elements of each period, and sends them as an array. A full array ends its period
  /// early.
  ///
  ///     source                              --1--2--3------4--|
  ///     buffer(for: 8 ticks, orCount: 2)    -----[1,2]---[3]--[4]|
  ///
  ///     trades.buffer(for: .seconds(5), orCount: 500).observeNext { save($0) }
  ///
  /// *Events*: one array is sent per period. It is empty if no element arrived. Completion ends the
  /// last period; a failure discards its elements. A count below 1 traps.
  ///
  /// *Timing*: uses the given scheduler, or by default ``Current/scheduler``. The first period
  /// starts with the observation, and a full array starts a new one. With a duration of zero or
  /// less, each element is sent at once, in an array of its own, and there are no empty arrays.
  @inlinable
  public func buffer(
    for duration: Duration, orCount count: Int, on scheduler: (any Scheduler)? = nil
  ) -> EventStream<[Element], Failure> {
    require(count > 0, "buffer(for:orCount:) needs a count of at least 1.")
    return buffer(for: duration, limit: count, on: scheduler)
  }

  @inlinable
  func buffer(
    for duration: Duration, limit: Int, on scheduler: (any Scheduler)?
  ) -> EventStream<[Element], Failure> {
    // A timer with a period of zero would fire forever while the clock stands still.
    guard duration > .zero else { return buffer(count: 1) }
    let source = link
    return .unguarded(after: source) { observer in
      let periods = PeriodTimer(of: duration, on: scheduler ?? Current.scheduler)
      let buffer = TimedBuffer(limit, periods, into: observer)
      periods.begin(in: observer.observation) { buffer.flush() }
      source.start(
        Observer(
          next: { buffer.next($0) }, end: { buffer.end($0) },
          observation: observer.observation))
    }
  }
}

/// The state of one observation of a timed `buffer`.
@usableFromInline
final class TimedBuffer<Element, Failure: Error> {
  @usableFromInline let limit: Int
  @usableFromInline let periods: PeriodTimer
  @usableFromInline let output: SerializedObserver<[Element], Failure>
  @usableFromInline var elements: [Element] = []

  @inlinable
  init(_ limit: Int, _ periods: PeriodTimer, into observer: Observer<[Element], Failure>) {
    self.limit = limit
    self.periods = periods
    output = SerializedObserver(observer)
  }

  @inlinable
  func next(_ element: Element) {
    elements.append(element)
    guard elements.count == limit else { return }
    periods.restart()
    flush()
  }

  @inlinable
  func flush() {
    let full = elements
    elements = []
    output.next(full)
  }

  @inlinable
  func end(_ termination: Termination<Failure>) {
    periods.tearDown()
    switch termination {
    case .completed: flush()
    case .failed: elements = []
    }
    output.end(termination)
  }
}
