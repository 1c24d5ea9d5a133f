extension StreamProtocol where Failure == Never {
  /// Changes the failure type of a stream that cannot fail, so that it can be combined with streams
  /// that can.
  ///
  ///     source              --1--2--|
  ///     failing(with: E)    --1--2--|
  ///
  ///     taps.failing(with: LoadError.self).flatMapLatest { api.load() }.observe { print($0) }
  @inlinable
  public func failing<NewFailure: Error>(
    with type: NewFailure.Type
  ) -> EventStream<Element, NewFailure> {
    let source = link
    return .unguarded(after: source) { observer in
      source.start(
        Observer(
          next: observer.onNext, end: { _ in observer.completed() },
          heldByEnd: observer.observation))
    }
  }
}
