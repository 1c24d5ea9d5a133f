extension StreamProtocol {
  /// Transforms the error of a failure.
  ///
  ///     source                          --1--2--X
  ///     mapFailure { .notLoaded($0) }   --1--2--X'
  ///
  ///     api.load().mapFailure(to: PageError.self) { .notLoaded($0) }.observe { print($0) }
  ///
  /// The `to` argument can be omitted where the compiler infers the type: at the end of a chain, or
  /// where the type of the result is declared.
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
