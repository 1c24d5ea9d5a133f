extension StreamProtocol {
  /// Converts elements and the failure to results. The result stream cannot fail.
  ///
  ///     source      --1--------2--------X
  ///     results()   --ok(1)----ok(2)----error|
  ///
  ///     searchText.flatMapLatest { api.search($0).results() }.observeNext { show($0) }
  ///
  /// *Events*: a failure becomes the last element. ``unwrapResults()`` reverses the conversion.
  @inlinable
  public func results() -> EventStream<Result<Element, Failure>, Never> {
    let source = link
    return .unguarded(after: source) { observer in
      source.start(
        Observer(
          next: { observer.next(.success($0)) },
          end: { termination in
            if case .failed(let error) = termination { observer.next(.failure(error)) }
            observer.completed()
          }, heldByEnd: observer.observation))
    }
  }
}

extension StreamProtocol where Failure == Never {
  /// Converts results to elements and a failure.
  ///
  ///     source            --ok(1)----ok(2)----error----ok(3)--|
  ///     unwrapResults()   --1--------2--------X
  ///
  ///     lines.map { line in Result { try parse(line) } }.unwrapResults().observe { print($0) }
  ///
  /// *Events*: the first result that is an error fails the stream.
  @inlinable
  public func unwrapResults<Output, NewFailure: Error>() -> EventStream<Output, NewFailure>
  where Element == Result<Output, NewFailure> {
    let source = link
    return .unguarded(after: source) { observer in
      let stopper = SourceStopper(before: observer)
      source.start(
        stopper.unfailingObserver { result in
          switch result {
          case .success(let element): observer.next(element)
          case .failure(let error): stopper.end(.failed(error))
          }
        })
    }
  }
}
