extension StreamProtocol {
  /// Goes on with another stream when this one fails.
  ///
  ///     source                    --1--2--X
  ///     catch { _ in .just(9) }   --1--2--9|
  ///
  ///     api.load().catch { _ in mirror.load() }.observe(next: { show($0) })
  ///
  /// *Events*: the stream that follows may fail in its turn; that failure, and one that the closure
  /// throws, ends the whole.
  ///
  /// *Disposal*: what failed is torn down before what follows is observed.
  @inlinable
  public func `catch`(
    _ fallback: @escaping (Failure) throws(Failure) -> EventStream<Element, Failure>
  ) -> EventStream<Element, Failure> {
    flatMapFailure { error in
      do throws(Failure) { return try fallback(error) } catch { return .failed(error) }
    }
  }

  /// Goes on with another stream when this one fails, which fails in another way or not at all.
  ///
  ///     source                             --1--2--X
  ///     flatMapFailure { _ in .just(9) }   --1--2--9|
  ///
  ///     api.load().flatMapFailure(to: PageError.self) { error in
  ///       error == .offline ? .just(lastPage) : .failed(.gone)
  ///     }.observe { print($0) }
  ///
  /// The type can be left out where the compiler finds it: at the end of a chain, or where the result
  /// is given a type.
  ///
  /// *Events*, *Disposal*: as ``catch(_:)``, which keeps the type of the failure.
  @inlinable
  public func flatMapFailure<NewFailure: Error>(
    to type: NewFailure.Type = NewFailure.self,
    _ transform: @escaping (Failure) -> EventStream<Element, NewFailure>
  ) -> EventStream<Element, NewFailure> {
    let source = link
    return .unguarded(after: source) { observer in
      // What failed is seen as completed, with its error put aside: a succession has one type.
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
