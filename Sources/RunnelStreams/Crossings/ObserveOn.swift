extension StreamProtocol where Element: Sendable {
  /// Observes every event on another context: what the last step of a stream does for others.
  ///
  ///     source              --1--2--3--|
  ///     observe(on: loop)   ---1--2--3--|
  ///
  ///     measurements.observe(on: loop) { event in log("\(event)") }
  ///
  /// *Events*: all events, in order, one at a time.
  ///
  /// *Disposal*: no event begins to be handled there after it; one that is being handled at that
  /// moment is handled to its end. The observation ends when the other context has handled the end.
  @discardableResult
  public func observe(
    on context: any ExecutionContext,
    isolation: isolated (any Actor)? = #isolation,
    file: StaticString = #fileID, line: UInt = #line,
    _ handler: @escaping @Sendable (StreamEvent<Element, Failure>) -> Void
  ) -> Disposable {
    let handled: EventStream<Never, Never> = crossing(to: context, from: isolation) {
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
