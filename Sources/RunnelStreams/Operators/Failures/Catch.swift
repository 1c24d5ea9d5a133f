extension StreamProtocol {
  /// Continues with another stream if this one fails.
  ///
  ///     source                    --1--2--X
  ///     catch { _ in .just(9) }   --1--2--9|
  ///
  ///     api.load().catch { _ in mirror.load() }.observe(next: { show($0) })
  ///
  /// *Events*: if the other stream fails, or if the closure throws an error, the result fails.
  ///
  /// *Disposal*: the failed stream is disposed before the other stream is observed.
  @inlinable
  public func `catch`(
    _ fallback: @escaping (Failure) throws(Failure) -> EventStream<Element, Failure>
  ) -> EventStream<Element, Failure> {
    flatMapFailure { error in
      do throws(Failure) { return try fallback(error) } catch { return .failed(error) }
    }
  }

  /// Continues with another stream if this one fails. The other stream may have a different failure
  /// type.
  ///
  ///     source                             --1--2--X
  ///     flatMapFailure { _ in .just(9) }   --1--2--9|
  ///
  ///     api.load().flatMapFailure(to: PageError.self) { error in
  ///       error == .offline ? .just(lastPage) : .failed(.gone)
  ///     }.observe { print($0) }
  ///
  /// The `to` argument can be omitted where the compiler infers the type: at the end of a chain, or
  /// where the type of the result is declared.
  ///
  /// *Events*, *Disposal*: as for ``catch(_:)``, which keeps the failure type.
  @inlinable
  public func flatMapFailure<NewFailure: Error>(
    to type: NewFailure.Type = NewFailure.self,
    _ transform: @escaping (Failure) -> EventStream<Element, NewFailure>
  ) -> EventStream<Element, NewFailure> {
    let source = link
    return .unguarded(after: source) { observer in
      // The first stream completes instead of failing, and its error is stored here, because all
      // streams of a `SequentialObservation` have the same failure type.
      var failure: Failure?
      let first = EventStream<Element, NewFailure>.unguarded { observer in
        source.start(
          Observer(
            next: observer.onNext,
            end: { termination in
              if case .failed(let error) = termination { failure = error }
              observer.completed()
            }, observation: observer.observation))
      }
      SequentialObservation(observer) { _ in
        guard let error = failure else { return nil }
        failure = nil
        return .last(transform(error))
      }.begin(with: .stream(first))
    }
  }
}
