extension StreamProtocol {
  /// Observes every event.
  ///
  ///     numbers.observe { print($0) }  // next(1) next(2) next(3) next(4) completed
  ///
  /// *Disposal*: the observation ends with the stream. To end it sooner, dispose the returned
  /// disposable, or put it in a ``DisposeBag``. A stream may be observed from a `deinit`: the
  /// observation does not depend on the object, and the weak forms treat it as released.
  @inlinable
  @discardableResult
  public func observe(
    file: StaticString = #fileID, line: UInt = #line,
    _ handler: @escaping (StreamEvent<Element, Failure>) -> Void
  ) -> Disposable {
    let observation = observation(at: SourceLocation(file: file, line: line))
    start(
      in: observation, next: { handler(.next($0)) }, end: { handler(StreamEvent($0)) })
    return observation
  }

  /// Observes the elements. A failure goes to ``Hooks/unhandledFailure``.
  ///
  ///     names.observeNext { print("Hi \($0)!") }
  @inlinable
  @discardableResult
  public func observeNext(
    file: StaticString = #fileID, line: UInt = #line,
    _ handler: @escaping (Element) -> Void
  ) -> Disposable {
    let location = SourceLocation(file: file, line: line)
    let observation = ElementObservation(at: location)
    track(observation, at: location)
    // The closure captures one object, so it needs no allocation of its own.
    start(Observer(next: handler, end: { observation.ended($0) }, heldByEnd: observation))
    return observation
  }

  /// Observes with a handler for each kind of event. A failure without a handler goes to
  /// ``Hooks/unhandledFailure``.
  ///
  ///     api.load().observe(next: { show($0) }, failed: { show("Not loaded: \($0)") })
  @inlinable
  @discardableResult
  public func observe(
    file: StaticString = #fileID, line: UInt = #line,
    next: @escaping (Element) -> Void = { _ in },
    failed: ((Failure) -> Void)? = nil,
    completed: (() -> Void)? = nil
  ) -> Disposable {
    let location = SourceLocation(file: file, line: line)
    let observation = observation(at: location)
    // Not a call of `start(in:…)`, which would allocate a second closure.
    start(
      Observer(
        next: next,
        end: { termination in
          guard observation.beginEnding() else { return }
          switch termination {
          case .completed: completed?()
          case .failed(let error):
            if let failed { failed(error) } else { Hooks.report(error, observedAt: location) }
          }
          observation.dispose()
        }, heldByEnd: observation))
    return observation
  }

  @inlinable
  func observation(at location: SourceLocation) -> Disposable {
    let observation = Disposable()
    track(observation, at: location)
    return observation
  }

  @inlinable
  func track(_ observation: Disposable, at location: SourceLocation) {
    if Resources.isTracking {
      observation.record = Resources.record(EventStream<Element, Failure>.self, location)
    }
  }

  /// Observes this stream in an observation of its own, as part of `parent`. For an operator that
  /// delivers the end of its source later, or never.
  ///
  /// A source that has ended is torn down at once, even if the operator waits for other sources. A
  /// source with a loop therefore stops, also when a `take` ended it (C5, C8).
  @inlinable
  @discardableResult
  public func start(
    under parent: Disposable,
    next: @escaping (Element) -> Void,
    end: @escaping (Termination<Failure>) -> Void
  ) -> Disposable {
    let observation = Disposable()
    parent.add(observation)
    start(in: observation, next: next, end: end)
    return observation
  }

  /// Observes this stream in an observation that was created for it. The observation is disposed
  /// after the end was handled (C5).
  @inlinable
  public func start(
    in observation: Disposable,
    next: @escaping (Element) -> Void,
    end: @escaping (Termination<Failure>) -> Void
  ) {
    start(
      Observer(
        next: next,
        end: { termination in
          guard observation.beginEnding() else { return }
          end(termination)
          observation.dispose()
        }, heldByEnd: observation))
  }
}

// MARK: - Weak forms

extension StreamProtocol {
  /// Observes every event with a handler that gets `target`, which is held weakly. The observation
  /// ends at the first event after the release of the target.
  ///
  ///     names.observe(weak: self) { screen, event in screen.history.append("\(event)") }
  @discardableResult
  @inlinable
  public func observe<Target: AnyObject>(
    weak target: Target,
    file: StaticString = #fileID, line: UInt = #line,
    _ handler: @escaping (Target, StreamEvent<Element, Failure>) -> Void
  ) -> Disposable {
    let observation = observation(at: SourceLocation(file: file, line: line))
    let deliver = { [weak target] (event: StreamEvent<Element, Failure>) in
      if let target { handler(target, event) } else { observation.dispose() }
    }
    start(in: observation, next: { deliver(.next($0)) }, end: { deliver(StreamEvent($0)) })
    return observation
  }

  /// Observes the elements with a handler that gets `target`, which is held weakly. A failure goes
  /// to ``Hooks/unhandledFailure``.
  ///
  ///     names.observeNext(weak: self) { screen, name in screen.heading = name }
  @discardableResult
  @inlinable
  public func observeNext<Target: AnyObject>(
    weak target: Target,
    file: StaticString = #fileID, line: UInt = #line,
    _ handler: @escaping (Target, Element) -> Void
  ) -> Disposable {
    observe(weak: target, file: file, line: line, next: handler)
  }

  /// Observes with a handler for each kind of event. The handlers get `target`, which is held
  /// weakly. A failure without a handler goes to ``Hooks/unhandledFailure``.
  ///
  ///     api.load().observe(
  ///       weak: self, next: { _, page in show(page) },
  ///       failed: { screen, error in screen.heading = "Not loaded: \(error)" })
  @discardableResult
  @inlinable
  public func observe<Target: AnyObject>(
    weak target: Target,
    file: StaticString = #fileID, line: UInt = #line,
    next: @escaping (Target, Element) -> Void = { _, _ in },
    failed: ((Target, Failure) -> Void)? = nil,
    completed: ((Target) -> Void)? = nil
  ) -> Disposable {
    observe(weak: target, file: file, line: line) { target, event in
      switch event {
      case .next(let element): next(target, element)
      case .completed: completed?(target)
      case .failed(let error):
        if let failed {
          failed(target, error)
        } else {
          Hooks.report(error, observedAt: SourceLocation(file: file, line: line))
        }
      }
    }
  }
}
