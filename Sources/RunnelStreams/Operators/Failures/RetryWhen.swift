extension StreamProtocol {
  /// Observes the stream again when another one says so, which is made from its failures.
  ///
  ///     source               --1--X    --1--X
  ///     notifier             ----------n---------|
  ///     retry { notifier }   --1---------1-------|
  ///
  ///     api.load().retry { failures in
  ///       failures.flatMapLatest { _ in retryButton.taps.stream }.failing(with: LoadError.self)
  ///     }.observe(next: { show($0) })
  ///
  /// *Events*: the closure is called once for each observation, and what it returns is observed
  /// before the source. Each of its elements lets a source that has failed be observed again; one
  /// that comes while the source runs does nothing. Its end is the end of the whole.
  ///
  /// *Disposal*: what failed is torn down before its failure is sent to the notifier.
  public func retry<Signal>(
    when notifier: @escaping (EventStream<Failure, Never>) -> EventStream<Signal, Failure>
  ) -> EventStream<Element, Failure> {
    let source = link
    return .unguarded(after: source) { observer in
      let output = SerializedObserver(observer)
      let retrial = Retrial<Element, Failure>()
      let notified = Disposable()
      observer.observation.add(notified)
      let signals = notifier(retrial.failures.stream)
      guard output.isOpen else { return }
      signals.start(in: notified, next: { _ in retrial.open() }, end: { output.end($0) })
      guard output.isOpen else { return }
      let attempts = Observer(
        next: { output.next($0) }, end: { output.end($0) }, observation: observer.observation)
      SequentialObservation(attempts) { end in
        switch end {
        case .failed(let error): .stream(retrial.wait(after: error))
        case .completed: retrial.wasOpened() ? .stream(source) : nil
        }
      }.begin(with: .stream(source))
    }
  }
}

/// What stands between two attempts: a stream that completes when a signal comes.
private final class Retrial<Element, Failure: Error> {
  enum State {
    /// The source runs.
    case idle
    /// The source has failed, and waits for a signal.
    case waiting(Observer<Element, Failure>)
    /// The signal has come, and the source is observed next.
    case opened
  }

  let failures = PushStream<Failure>()
  private var state = State.idle

  func wait(after error: Failure) -> EventStream<Element, Failure> {
    .unguarded { observer in
      self.state = .waiting(observer)
      // The observer holds the succession, which holds the retrial.
      observer.observation.add { self.leave() }
      self.failures.next(error)
    }
  }

  func open() {
    guard case .waiting(let observer) = state else { return }
    state = .opened
    observer.completed()
  }

  /// Whether what ended was the wait: then it is time for the source.
  func wasOpened() -> Bool {
    guard case .opened = state else { return false }
    state = .idle
    return true
  }

  private func leave() {
    if case .waiting = state { state = .idle }
  }
}
