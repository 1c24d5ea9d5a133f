extension StreamProtocol {
  /// Divides the elements into windows of `count` elements. Each window is a stream, which is sent
  /// when it opens.
  ///
  ///     source              --1--2--3--4--5--|
  ///     window(count: 2)    --a-----b-----c--|
  ///     a                     1--2|
  ///     b                           3--4|
  ///     c                                 5--|
  ///
  ///     measurements.window(count: 60).flatMap { $0.reduce(0, +).stream }.observeNext { show($0) }
  ///
  /// *Events*: a window opens with its first element and completes after its last one. The last
  /// window ends when the source ends, in the same way. Windows are hot: observe a window when it
  /// is sent. A count below 1 traps.
  ///
  /// *Disposal*: disposes the source. A window that is still observed sends no further events.
  @inlinable
  public func window(count: Int) -> EventStream<EventStream<Element, Failure>, Failure> {
    require(count > 0, "window(count:) needs a count of at least 1.")
    let source = link
    return .unguarded(after: source) { observer in
      let splitter = WindowSplitter(count, nil, into: observer)
      source.start(splitter.begin())
    }
  }

  /// Divides the elements into windows by periods of time. Each window is a stream, which is sent
  /// when it opens.
  ///
  ///     source                  --1--2--------3--------|
  ///     window(for: 8 ticks)    a-------b-------c------|
  ///     a                       --1--2--|
  ///     b                               ------3-|
  ///     c                                       -------|
  ///
  ///     trades.window(for: .seconds(1)).flatMap { $0.toArray().stream }.observeNext { show($0.count) }
  ///
  /// *Events*: one window is sent per period, even if no element arrives. A window completes before
  /// the next one is sent. The last window ends when the source ends, in the same way. Windows are
  /// hot: observe a window when it is sent.
  ///
  /// *Disposal*: disposes the source. A window that is still observed sends no further events.
  ///
  /// *Timing*: uses the given scheduler, or by default ``Current/scheduler``. The first period
  /// starts with the observation. With a duration of zero or less, each element has a window of its
  /// own, which opens with it and completes after it.
  @inlinable
  public func window(
    for duration: Duration, on scheduler: (any Scheduler)? = nil
  ) -> EventStream<EventStream<Element, Failure>, Failure> {
    return window(for: duration, limit: .max, on: scheduler)
  }

  /// Divides the elements into windows by periods of time. A full window ends its period early.
  /// Each window is a stream, which is sent when it opens.
  ///
  ///     source                              --1--2--3-------4--|
  ///     window(for: 8 ticks, orCount: 2)    a----b-------c-----|
  ///     a                                   --1--2|
  ///     b                                        ---3----|
  ///     c                                                ---4--|
  ///
  ///     keys.window(for: .seconds(5), orCount: 80)
  ///       .flatMap { $0.reduce(into: "") { $0.append($1) }.stream }
  ///       .observeNext { print($0) }
  ///
  /// *Events*, *Disposal*: as for ``window(for:on:)``. A count below 1 traps.
  ///
  /// *Timing*: uses the given scheduler, or by default ``Current/scheduler``. A full window
  /// starts a new period. With a duration of zero or less, each element has a window of its own,
  /// which opens with it and completes after it.
  @inlinable
  public func window(
    for duration: Duration, orCount count: Int, on scheduler: (any Scheduler)? = nil
  ) -> EventStream<EventStream<Element, Failure>, Failure> {
    require(count > 0, "window(for:orCount:) needs a count of at least 1.")
    return window(for: duration, limit: count, on: scheduler)
  }

  @inlinable
  func window(
    for duration: Duration, limit: Int, on scheduler: (any Scheduler)?
  ) -> EventStream<EventStream<Element, Failure>, Failure> {
    // A timer with a period of zero would fire forever while the clock stands still.
    guard duration > .zero else { return window(count: 1) }
    let source = link
    return .unguarded(after: source) { observer in
      let periods = PeriodTimer(of: duration, on: scheduler ?? Current.scheduler)
      let splitter = WindowSplitter(limit, periods, into: observer)
      let guarded = splitter.begin()
      guard observer.isActive else { return }
      source.start(guarded)
    }
  }
}

/// The state of one observation of `window`.
///
/// The source and the timer both cause events, and a window must reach its observer before its
/// elements do. Therefore a `SerializedObserver` in front of this object queues the inputs. The
/// outputs need no queue.
@usableFromInline
final class WindowSplitter<Element, Failure: Error> {
  @usableFromInline
  typealias Window = EventStream<Element, Failure>

  /// An input of the operator.
  @usableFromInline
  enum Step {
    /// The source sent an element.
    case element(Element)
    case periodEnded
  }

  @usableFromInline let limit: Int
  @usableFromInline let periods: PeriodTimer?
  @usableFromInline let observer: Observer<Window, Failure>
  @usableFromInline var window: Subject<Element, Failure>?
  @usableFromInline var count = 0

  @inlinable
  init(_ limit: Int, _ periods: PeriodTimer?, into observer: Observer<Window, Failure>) {
    self.limit = limit
    self.periods = periods
    self.observer = observer
  }

  /// Opens the first window, if windows are timed, and returns the observer for the source.
  @inlinable
  func begin() -> Observer<Element, Failure> {
    let observation = observer.observation
    let input = SerializedObserver(
      Observer<Step, Failure>(
        next: { self.take($0) }, end: { self.end($0) }, observation: observation))
    if let periods {
      open()
      periods.begin(in: observation) { input.next(.periodEnded) }
    }
    return Observer(
      next: { input.next(.element($0)) },
      end: {
        self.periods?.tearDown()
        input.end($0)
      },
      observation: observation)
  }

  @inlinable
  func take(_ step: Step) {
    switch step {
    case .element(let element): add(element)
    case .periodEnded:
      close()
      open()
    }
  }

  @inlinable
  func add(_ element: Element) {
    if window == nil { open() }
    guard observer.isActive, let window else { return }
    count += 1
    let isFull = count == limit
    if isFull { periods?.restart() }
    window.next(element)
    guard isFull else { return }
    close()
    if periods != nil { open() }
  }

  @inlinable
  func open() {
    guard observer.isActive else { return }
    let opening = Subject<Element, Failure>()
    window = opening
    count = 0
    observer.next(opening.stream)
  }

  @inlinable
  func close() {
    let closing = window
    window = nil
    if observer.isActive { closing?.completed() }
  }

  @inlinable
  func end(_ termination: Termination<Failure>) {
    let closing = window
    window = nil
    closing?.end(termination)
    observer.end(termination)
  }
}
