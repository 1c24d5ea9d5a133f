extension StreamProtocol {
  /// Observes the stream again after a failure each time a notifier sends an element. The closure
  /// creates the notifier from the stream of failures.
  ///
  ///     source               --1--X    --1--X
  ///     notifier             ----------n---------|
  ///     retry { notifier }   --1---------1-------|
  ///
  ///     api.load().retry { failures in
  ///       failures.flatMapLatest { _ in retryButton.taps.stream }.failing(with: LoadError.self)
  ///     }.observe(next: { show($0) })
  ///
  /// *Events*: the closure is called once for each observation. The notifier is observed before the
  /// source. Each of its elements restarts a source that has failed; elements that arrive while the
  /// source runs are ignored. The result ends when the notifier ends.
  ///
  /// *Disposal*: the failed stream is disposed before its failure is sent to the notifier.
  public func retry<Signal>(
    when notifier: @escaping (EventStream<Failure, Never>) -> EventStream<Signal, Failure>
  ) -> EventStream<Element, Failure> {
    let source = link
    return .unguarded(after: source) { observer in
      let output = SerializedObserver(observer)
      let pause = RetryPause<Element, Failure>()
      let notifierObservation = Disposable()
      observer.observation.add(notifierObservation)
      let signals = notifier(pause.failures.stream)
      guard output.isOpen else { return }
      signals.start(in: notifierObservation, next: { _ in pause.resume() }, end: { output.end($0) })
      guard output.isOpen else { return }
      let attempts = Observer(
        next: { output.next($0) }, end: { output.end($0) }, observation: observer.observation)
      SequentialObservation(attempts) { end in
        switch end {
        case .failed(let error): .stream(pause.begin(after: error))
        case .completed: pause.consumeResumption() ? .stream(source) : nil
        }
      }.begin(with: .stream(source))
    }
  }
}

/// The pause between two attempts: a stream that completes when the notifier sends an element.
private final class RetryPause<Element, Failure: Error> {
  enum State {
    /// The source runs.
    case idle
    /// The source has failed and waits for the notifier.
    case waiting(Observer<Element, Failure>)
    /// The notifier has sent an element, and the source is observed next.
    case resumed
  }

  let failures = PushStream<Failure>()
  private var state = State.idle

  func begin(after error: Failure) -> EventStream<Element, Failure> {
    .unguarded { observer in
      self.state = .waiting(observer)
      // Breaks a reference cycle when the pause ends: the observer retains the
      // `SequentialObservation`, which retains this object.
      observer.observation.add { self.reset() }
      self.failures.next(error)
    }
  }

  func resume() {
    guard case .waiting(let observer) = state else { return }
    state = .resumed
    observer.completed()
  }

  /// Returns true if a pause has ended, so that the source is observed next.
  func consumeResumption() -> Bool {
    guard case .resumed = state else { return false }
    state = .idle
    return true
  }

  private func reset() {
    if case .waiting = state { state = .idle }
  }
}
