extension StreamProtocol {
  /// Completes instead of failing, and logs the error. The result cannot fail.
  ///
  ///     source            --1--2--X
  ///     ignoreFailure()   --1--2--|
  ///
  ///     api.load().ignoreFailure { log("\($1): \($0)") }.observeNext { show($0) }
  ///
  /// *Events*: `log` receives the error and the source location of this call, before the completion
  /// is sent. By default, ``Hooks/unhandledFailure`` is called, so that no error is lost silently
  /// (C10).
  @inlinable
  public func ignoreFailure(
    file: StaticString = #fileID, line: UInt = #line,
    log: @escaping (Failure, SourceLocation) -> Void = { Hooks.report($0, observedAt: $1) }
  ) -> EventStream<Element, Never> {
    let source = link
    let location = SourceLocation(file: file, line: line)
    return .unguarded(after: source) { observer in
      source.start(
        Observer(
          next: observer.onNext,
          end: { termination in
            if case .failed(let error) = termination { log(error, location) }
            observer.completed()
          }, heldByEnd: observer.observation))
    }
  }
}
