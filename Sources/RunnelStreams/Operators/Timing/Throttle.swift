extension StreamProtocol {
  /// Sends at most one element per time span.
  ///
  ///     source                                  --1-2-3--------4--|
  ///     throttle(for: 5 ticks)                  --1----3-------4--|
  ///     throttle(for: 5 ticks, latest: false)   --1------------4--|
  ///
  ///     mouse.moves.throttle(for: .milliseconds(16)).observeNext { show($0) }
  ///     saveButton.taps.throttle(for: .seconds(1), latest: false).observeNext { save() }
  ///
  /// *Events*: the first element is sent at once and starts a span. At the end of the span, the
  /// latest element that arrived within it is sent and starts the next span. If `latest` is false,
  /// elements within a span are dropped. Completion waits for a pending element; a failure discards
  /// it.
  ///
  /// *Timing*: uses the given scheduler, or by default ``Current/scheduler``. A negative span
  /// counts as zero, and all elements are sent. A timer is set only while an element is pending.
  @inlinable
  public func throttle(
    for span: Duration, latest: Bool = true, on scheduler: (any Scheduler)? = nil
  ) -> EventStream<Element, Failure> {
    let source = link
    return .unguarded(after: source) { observer in
      let throttler = Throttler(
        span, sendsLatest: latest, scheduler ?? Current.scheduler, into: observer)
      source.start(
        under: observer.observation,
        next: { throttler.next($0) }, end: { throttler.end($0) })
    }
  }
}

@usableFromInline
final class Throttler<Element, Failure: Error> {
  @usableFromInline
  enum State {
    /// No element is pending.
    case idle
    /// An element waits for the end of the span.
    case waiting(Element)
    /// The last element waits for the end of the span. The stream completes after it.
    case completing(Element)
  }

  @usableFromInline let span: Duration
  @usableFromInline let sendsLatest: Bool
  @usableFromInline let output: SerializedObserver<Element, Failure>
  @usableFromInline let timer: RestartableTimer
  @usableFromInline var state = State.idle
  @usableFromInline var endOfSpan: Duration

  @inlinable
  init(
    _ span: Duration, sendsLatest: Bool, _ scheduler: any Scheduler,
    into observer: Observer<Element, Failure>
  ) {
    self.span = max(span, .zero)
    self.sendsLatest = sendsLatest
    output = SerializedObserver(observer)
    timer = RestartableTimer(on: scheduler)
    endOfSpan = timer.now
    observer.observation.add(timer)
  }

  @inlinable
  func next(_ element: Element) {
    switch state {
    case .idle:
      let now = timer.now
      if now >= endOfSpan {
        endOfSpan = now.plus(span)
        output.next(element)
      } else if sendsLatest {
        state = .waiting(element)
        timer.set(at: endOfSpan) { self.spanEnded() }
      }
    case .waiting: state = .waiting(element)
    case .completing: break
    }
  }

  @inlinable
  func end(_ termination: Termination<Failure>) {
    switch (termination, state) {
    case (.completed, .waiting(let element)): state = .completing(element)
    case (.completed, _): output.end(.completed)
    case (.failed, _):
      state = .idle
      timer.cancel()
      output.end(termination)
    }
  }

  @inlinable
  func spanEnded() {
    let ended = state
    state = .idle
    endOfSpan = timer.now.plus(span)
    switch ended {
    case .idle: break
    case .waiting(let element): output.next(element)
    case .completing(let element):
      output.next(element)
      output.end(.completed)
    }
  }
}
