extension StreamProtocol {
  /// Divides the elements into streams of a given length, and sends each window when it opens.
  ///
  ///     source              --1--2--3--4--5--|
  ///     window(count: 2)    --a-----b-----c--|
  ///     a                     1--2|
  ///     b                           3--4|
  ///     c                                 5--|
  ///
  ///     measurements.window(count: 60).flatMap { $0.reduce(0, +).stream }.observeNext { show($0) }
  ///
  /// *Events*: a window opens with its first element, completes with its last, and ends as the
  /// source does. It is hot: observe it when it is sent. A count below one is a mistake of the
  /// caller, and traps.
  ///
  /// *Disposal*: disposes the source; a window that is still observed falls silent.
  public func window(count: Int) -> EventStream<EventStream<Element, Failure>, Failure> {
    require(count > 0, "window(count:) needs a count of at least 1.")
    let source = link
    return .unguarded(after: source) { observer in
      let windowing = Windowing(count, nil, into: observer)
      source.start(windowing.begin())
    }
  }

  /// Divides the elements into streams by periods of time, and sends each window when it opens.
  ///
  ///     source                  --1--2--------3--------|
  ///     window(for: 8 ticks)    a-------b-------c------|
  ///     a                       --1--2--|
  ///     b                               ------3-|
  ///     c                                       -------|
  ///
  ///     trades.window(for: .seconds(1)).flatMap { $0.toArray().stream }.observeNext { show($0.count) }
  ///
  /// *Events*: there is a window for each period, also where nothing comes. One completes before the
  /// next is sent, and the last ends as the source does. It is hot: observe it when it is sent.
  ///
  /// *Disposal*: disposes the source; a window that is still observed falls silent.
  ///
  /// *Timing*: on the given scheduler, else that of the current loop. The periods follow each other
  /// from the observation on. A duration that is not positive is a mistake of the caller, and traps.
  public func window(
    for duration: Duration, on scheduler: (any Scheduler)? = nil
  ) -> EventStream<EventStream<Element, Failure>, Failure> {
    require(duration > .zero, "window(for:) needs a duration longer than zero.")
    return window(for: duration, limit: .max, on: scheduler)
  }

  /// Divides the elements into streams by periods of time that end early when a window is full, and
  /// sends each window when it opens.
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
  /// *Events*, *Disposal*: as ``window(for:on:)``. A count below one is a mistake of the caller, and
  /// traps.
  ///
  /// *Timing*: on the given scheduler, else that of the current loop. A full window begins a new
  /// period. A duration that is not positive is a mistake of the caller, and traps.
  public func window(
    for duration: Duration, orCount count: Int, on scheduler: (any Scheduler)? = nil
  ) -> EventStream<EventStream<Element, Failure>, Failure> {
    require(duration > .zero, "window(for:orCount:) needs a duration longer than zero.")
    require(count > 0, "window(for:orCount:) needs a count of at least 1.")
    return window(for: duration, limit: count, on: scheduler)
  }

  private func window(
    for duration: Duration, limit: Int, on scheduler: (any Scheduler)?
  ) -> EventStream<EventStream<Element, Failure>, Failure> {
    let source = link
    return .unguarded(after: source) { observer in
      let periods = PeriodTimer(of: duration, on: scheduler ?? Current.scheduler)
      let windowing = Windowing(limit, periods, into: observer)
      let guarded = windowing.begin()
      guard observer.isActive else { return }
      source.start(guarded)
    }
  }
}

/// One run of `window`.
///
/// The source and the clock may both cause events, and a window must have reached its observer
/// before its elements do. So it is what comes in that takes turns here, in an output in front of
/// this object, not what goes out.
private final class Windowing<Element, Failure: Error> {
  typealias Window = EventStream<Element, Failure>

  /// What happens to a window.
  enum Step {
    /// The source sent an element.
    case element(Element)
    /// The time of the window is over.
    case periodEnded
  }

  private let limit: Int
  private let periods: PeriodTimer?
  private let observer: Observer<Window, Failure>
  private var window: Subject<Element, Failure>?
  private var count = 0

  init(_ limit: Int, _ periods: PeriodTimer?, into observer: Observer<Window, Failure>) {
    self.limit = limit
    self.periods = periods
    self.observer = observer
  }

  /// Opens the first window, if it is a clock that opens them, and names where the source sends to.
  func begin() -> Observer<Element, Failure> {
    let observation = observer.observation
    let turns = SerializedObserver(
      Observer<Step, Failure>(
        next: { self.take($0) }, end: { self.end($0) }, observation: observation))
    if let periods {
      open()
      periods.begin(in: observation) { turns.next(.periodEnded) }
    }
    return Observer(
      next: { turns.next(.element($0)) },
      end: {
        self.periods?.tearDown()
        turns.end($0)
      },
      observation: observation)
  }

  private func take(_ step: Step) {
    switch step {
    case .element(let element): add(element)
    case .periodEnded:
      close()
      open()
    }
  }

  private func add(_ element: Element) {
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

  private func open() {
    guard observer.isActive else { return }
    let opening = Subject<Element, Failure>()
    window = opening
    count = 0
    observer.next(opening.stream)
  }

  private func close() {
    let closing = window
    window = nil
    if observer.isActive { closing?.completed() }
  }

  private func end(_ termination: Termination<Failure>) {
    let closing = window
    window = nil
    closing?.end(termination)
    observer.end(termination)
  }
}
