extension StreamProtocol {
  /// Sends the only element of the source when the source has completed. Fails if there is no
  /// element or more than one.
  ///
  ///     source                          --1--|
  ///     single(otherwise: Wrong.init)   -----1|
  ///
  ///     source                          --1--2--3--|
  ///     single(otherwise: Wrong.init)   -----X
  ///
  ///     api.loadUser().single(otherwise: LoadError.wrongCount).observe(succeeded: { show($0) })
  ///
  /// *Events*: the element is sent only after the source has completed. A second element fails the
  /// result and disposes the source. A failure of the source fails the result.
  @inlinable
  public func single(
    otherwise failure: @escaping (ElementCountError) -> Failure
  ) -> Single<Element, Failure> {
    let source = link
    let stream = EventStream<Element, Failure>.unguarded(after: source) { observer in
      let stopper = SourceStopper(before: observer)
      var only: Element?
      source.start(
        Observer(
          next: { element in
            if only == nil {
              only = element
            } else {
              stopper.end(.failed(failure(.several)))
            }
          },
          end: { termination in
            switch termination {
            case .failed: stopper.end(termination)
            case .completed:
              if let only {
                stopper.end(.completed, after: only)
              } else {
                stopper.end(.failed(failure(.none)))
              }
            }
          }, observation: stopper.upstream))
    }
    return Single(trusting: stream)
  }
}

extension StreamProtocol where Failure == Never {
  /// Sends the only element of the source when the source has completed. Fails with an
  /// ``ElementCountError`` if there is no element or more than one.
  ///
  ///     source     --1--|
  ///     single()   -----1|
  ///
  ///     numbers.single().observe(failed: { print($0) })  // more than one element
  ///
  /// *Events*: as for ``single(otherwise:)``.
  @inlinable
  public func single() -> Single<Element, ElementCountError> {
    failing(with: ElementCountError.self).single(otherwise: { $0 })
  }
}
