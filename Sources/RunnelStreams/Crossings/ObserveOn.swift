extension StreamProtocol where Element: Sendable {
  /// Observes every event with a handler that runs on another context.
  ///
  ///     source              --1--2--3--|
  ///     observe(on: loop)   ---1--2--3--|
  ///
  ///     measurements.observe(on: loop) { event in log("\(event)") }
  ///
  /// *Events*: all events, in order, one at a time.
  ///
  /// *Waiting*: as for ``via(_:buffering:backlog:isolation:file:line:_:)``.
  ///
  /// *Disposal*: no call of the handler begins after disposal; a call that is running then
  /// finishes. The observation ends when the handler has handled the end.
  @inlinable
  @discardableResult
  public func observe(
    on context: any ExecutionContext,
    buffering: StreamBuffering = .unbounded, backlog: Backlog? = nil,
    isolation: isolated (any Actor)? = #isolation,
    file: StaticString = #fileID, line: UInt = #line,
    _ handler: @escaping @Sendable (StreamEvent<Element, Failure>) -> Void
  ) -> Disposable {
    let crossing = Crossing(backlog, buffering, at: SourceLocation(file: file, line: line))
    let handled: EventStream<Never, Never> = self.crossing(to: context, crossing, from: isolation) {
      source in
      .unguarded { observer in
        source.start(
          Observer(
            next: { handler(.next($0)) },
            end: { termination in
              handler(StreamEvent(termination))
              observer.completed()
            }, observation: observer.observation))
      }
    }
    return handled.observe(file: file, line: line, next: { _ in })
  }
}
