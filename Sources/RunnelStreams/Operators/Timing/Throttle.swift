extension StreamProtocol {
  /// Sends at most one element in a span of time.
  ///
  ///     source                                  --1-2-3--------4--|
  ///     throttle(for: 5 ticks)                  --1----3-------4--|
  ///     throttle(for: 5 ticks, latest: false)   --1------------4--|
  ///
  ///     mouse.moves.throttle(for: .milliseconds(16)).observeNext { show($0) }
  ///     saveButton.taps.throttle(for: .seconds(1), latest: false).observeNext { save() }
  ///
  /// *Events*: the first element passes and begins a span. At the end of the span the latest of
  /// those that came within it is sent, and begins the next span; without `latest` they are all
  /// dropped. Completion waits for an element that waits; a failure discards it.
  ///
  /// *Timing*: on the given scheduler, else that of the current loop. A span that is negative counts
  /// as none, and lets all elements pass. There is a timer only while an element waits.
  public func throttle(
    for span: Duration, latest: Bool = true, on scheduler: (any Scheduler)? = nil
  ) -> EventStream<Element, Failure> {
    let source = link
    return .unguarded(after: source) { observer in
      let throttling = Throttling(
        span, sendsLatest: latest, scheduler ?? Current.scheduler, into: observer)
      source.start(
        under: observer.observation,
        next: { throttling.next($0) }, end: { throttling.end($0) })
    }
  }
}

private final class Throttling<Element, Failure: Error> {
  private enum State {
    /// No element waits.
    case idle
    /// An element waits for the end of the span.
    case waiting(Element)
    /// The last element waits for the end of the span, and completion behind it.
    case completing(Element)
  }

  private let span: Duration
  private let sendsLatest: Bool
  private let output: SerializedObserver<Element, Failure>
  private let alarm: RestartableTimer
  private var state = State.idle
  private var endOfSpan: Duration

  init(
    _ span: Duration, sendsLatest: Bool, _ scheduler: any Scheduler,
    into observer: Observer<Element, Failure>
  ) {
    self.span = max(span, .zero)
    self.sendsLatest = sendsLatest
    output = SerializedObserver(observer)
    alarm = RestartableTimer(on: scheduler)
    endOfSpan = alarm.now
    observer.observation.add(alarm)
  }

  func next(_ element: Element) {
    switch state {
    case .idle:
      let now = alarm.now
      if now >= endOfSpan {
        endOfSpan = now.addingWithSaturation(span)
        output.next(element)
      } else if sendsLatest {
        state = .waiting(element)
        alarm.set(at: endOfSpan) { self.spanEnded() }
      }
    case .waiting: state = .waiting(element)
    case .completing: break
    }
  }

  func end(_ termination: Termination<Failure>) {
    switch (termination, state) {
    case (.completed, .waiting(let element)): state = .completing(element)
    case (.completed, _): output.end(.completed)
    case (.failed, _):
      state = .idle
      alarm.cancel()
      output.end(termination)
    }
  }

  private func spanEnded() {
    let ended = state
    state = .idle
    endOfSpan = alarm.now.addingWithSaturation(span)
    switch ended {
    case .idle: break
    case .waiting(let element): output.next(element)
    case .completing(let element):
      output.next(element)
      output.end(.completed)
    }
  }
}
