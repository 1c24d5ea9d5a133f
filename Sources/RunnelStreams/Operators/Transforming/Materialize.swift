extension StreamProtocol {
  /// Converts all events to elements, including the end. The result cannot fail.
  ///
  ///     source           --1-------2-------X
  ///     materialize()    --next(1)-next(2)-failed(X)|
  ///
  ///     api.load().materialize().observeNext { log("\($0)") }
  ///
  /// *Events*: the last element is the end of the source, followed by completion.
  ///
  /// *Disposal*: the source is released when it ends, even if the downstream continues (C5).
  @inlinable
  public func materialize() -> EventStream<StreamEvent<Element, Failure>, Never> {
    let source = link
    return .unguarded(after: source) { observer in
      source.start(
        under: observer.observation,
        next: { observer.next(.next($0)) },
        end: { termination in
          observer.next(StreamEvent(termination))
          observer.completed()
        })
    }
  }
}

extension StreamProtocol where Failure == Never {
  /// Converts elements back to events: the inverse of ``materialize()``.
  ///
  ///     source             --next(1)-next(2)-failed(X)--
  ///     dematerialize()    --1-------2-------X
  ///
  ///     numbers.materialize().dematerialize().observe { print($0) }  // next(1) next(2) …
  ///
  /// *Events*: ends with the first element that is a completion or a failure, or completes with the
  /// source.
  ///
  /// *Disposal*: the source is disposed after that element, so an infinite source stops (C8).
  @inlinable
  public func dematerialize<Output, NewFailure: Error>() -> EventStream<Output, NewFailure>
  where Element == StreamEvent<Output, NewFailure> {
    let source = link
    return .unguarded(after: source) { observer in
      let stopper = SourceStopper(before: observer)
      source.start(
        stopper.unfailingObserver { event in
          switch event {
          case .next(let element): observer.next(element)
          case .failed(let error): stopper.end(.failed(error))
          case .completed: stopper.end(.completed)
          }
        })
    }
  }
}
