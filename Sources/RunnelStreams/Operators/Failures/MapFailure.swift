extension StreamProtocol {
  /// Transforms the error that the stream fails with.
  ///
  ///     source                          --1--2--X
  ///     mapFailure { .notLoaded($0) }   --1--2--X'
  ///
  ///     api.load().mapFailure(to: PageError.self) { .notLoaded($0) }.observe { print($0) }
  ///
  /// The type can be left out where the compiler finds it: at the end of a chain, or where the result
  /// is given a type.
  @inlinable
  public func mapFailure<NewFailure: Error>(
    to type: NewFailure.Type = NewFailure.self,
    _ transform: @escaping (Failure) -> NewFailure
  ) -> EventStream<Element, NewFailure> {
    let source = link
    return .unguarded(after: source) { observer in
      source.start(
        Observer(
          next: observer.onNext,
          end: { termination in
            switch termination {
            case .failed(let error): observer.failed(transform(error))
            case .completed: observer.completed()
            }
          }, heldByEnd: observer.observation))
    }
  }
}
