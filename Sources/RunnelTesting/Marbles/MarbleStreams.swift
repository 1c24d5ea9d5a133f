import RunnelStreams

extension TestScheduler {
  /// Returns a hot stream that a marble string describes from the present on. Its elements are
  /// their names.
  ///
  ///     let keys = scheduler.hot("--a-b-|")
  ///     let recorder = scheduler.record(keys.map { $0 + $0 })
  ///     scheduler.run()
  ///     #expect(recorder.marbles == "--<aa>-<bb>-|")
  ///
  /// See ``MarbleDiagram`` for the grammar. A mistake in the string traps with its position.
  public func hot(_ marbles: String) -> HotStream<String, MarbleFailure> {
    hot(marbles, MarbleFailure()) { $0 }
  }

  /// Returns a hot stream that a marble string describes, with values for the names.
  ///
  ///     let sizes = scheduler.hot("--a-b-|", values: ["a": 10, "b": 20])
  ///     sizes.observe { print($0) }  // next(10) next(20) completed
  public func hot<Element>(
    _ marbles: String, values: [String: Element]
  ) -> HotStream<Element, MarbleFailure> {
    hot(marbles, MarbleFailure()) { values[$0] }
  }

  /// Returns a hot stream that a marble string describes, with a custom failure for `X`.
  ///
  ///     let keys = scheduler.hot("--a-X", failure: LoadError.timedOut)
  ///     keys.observe { print($0) }  // next(a) failed(timedOut)
  ///
  /// For a stream that cannot fail, pass `failure: Never?.none`.
  public func hot<Failure: Error>(
    _ marbles: String, failure: Failure?
  ) -> HotStream<String, Failure> {
    hot(marbles, failure) { $0 }
  }

  /// Returns a hot stream that a marble string describes, with values for the names and a custom
  /// failure for `X`.
  ///
  ///     let sizes = scheduler.hot("--a-X", values: ["a": 10], failure: LoadError.timedOut)
  ///     sizes.observe { print($0) }  // next(10) failed(timedOut)
  public func hot<Element, Failure: Error>(
    _ marbles: String, values: [String: Element], failure: Failure?
  ) -> HotStream<Element, Failure> {
    hot(marbles, failure) { values[$0] }
  }

  private func hot<Element, Failure: Error>(
    _ marbles: String, _ failure: Failure?, _ value: (String) -> Element?
  ) -> HotStream<Element, Failure> {
    let diagram = MarbleDiagram(trusting: marbles)
    let origin = now - tick.times(diagram.observation ?? 0)
    let events = events(of: diagram, failure, value)
    return HotStream(events.map { Timed(origin.plus($0.time), $0.event) }, on: self)
  }
}

extension TestScheduler {
  /// Returns a cold stream that a marble string describes from its observation on. Its elements are
  /// their names.
  ///
  ///     let page = scheduler.cold("-a-(bc)-X")
  ///     page.observe { print($0) }  // next(a) next(b) next(c) failed(MarbleFailure())
  ///
  /// See ``MarbleDiagram`` for the grammar. A mistake in the string traps with its position.
  public func cold(_ marbles: String) -> ColdStream<String, MarbleFailure> {
    cold(marbles, MarbleFailure()) { $0 }
  }

  /// Returns a cold stream that a marble string describes, with values for the names.
  ///
  ///     let sizes = scheduler.cold("--a-b-|", values: ["a": 10, "b": 20])
  ///     sizes.observe { print($0) }  // next(10) next(20) completed
  public func cold<Element>(
    _ marbles: String, values: [String: Element]
  ) -> ColdStream<Element, MarbleFailure> {
    cold(marbles, MarbleFailure()) { values[$0] }
  }

  /// Returns a cold stream that a marble string describes, with a custom failure for `X`.
  ///
  ///     let page = scheduler.cold("-a-X", failure: LoadError.timedOut)
  ///     page.observe { print($0) }  // next(a) failed(timedOut)
  ///
  /// For a stream that cannot fail, pass `failure: Never?.none`.
  public func cold<Failure: Error>(
    _ marbles: String, failure: Failure?
  ) -> ColdStream<String, Failure> {
    cold(marbles, failure) { $0 }
  }

  /// Returns a cold stream that a marble string describes, with values for the names and a custom
  /// failure for `X`.
  ///
  ///     let sizes = scheduler.cold("--a-X", values: ["a": 10], failure: LoadError.timedOut)
  ///     sizes.observe { print($0) }  // next(10) failed(timedOut)
  public func cold<Element, Failure: Error>(
    _ marbles: String, values: [String: Element], failure: Failure?
  ) -> ColdStream<Element, Failure> {
    cold(marbles, failure) { values[$0] }
  }

  private func cold<Element, Failure: Error>(
    _ marbles: String, _ failure: Failure?, _ value: (String) -> Element?
  ) -> ColdStream<Element, Failure> {
    let diagram = MarbleDiagram(trusting: marbles)
    if let position = diagram.observationPosition {
      fatalError("\(MarbleError(.observationOfCold, at: position, in: marbles))")
    }
    return ColdStream(events(of: diagram, failure, value), on: self)
  }

  private func events<Element, Failure: Error>(
    of diagram: MarbleDiagram, _ failure: Failure?, _ value: (String) -> Element?
  ) -> [Timed<StreamEvent<Element, Failure>>] {
    do throws(MarbleError) {
      return try diagram.events(tick: tick, failure: failure, value: value)
    } catch {
      fatalError("\(error)")
    }
  }
}
