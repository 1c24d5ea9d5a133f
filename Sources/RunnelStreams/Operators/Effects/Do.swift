extension StreamProtocol {
  /// Does something at chosen moments of each observation, and passes everything on unchanged.
  ///
  ///     source      --1--2--|
  ///     do(next:)   --1--2--|     calls next(1), next(2)
  ///
  ///     pages.do(next: { save($0) }, completed: { print("done") }).observeNext { show($0) }
  ///
  /// *Events*: `observed` is called before the source is observed; `next`, `failed` and `completed`
  /// before the event goes on; `afterNext` when the element was handled downstream. An error thrown
  /// by `next` fails the stream, and is not told to `failed`.
  ///
  /// *Disposal*: `disposed` is called once, after the end was delivered or on disposal, before the
  /// source is torn down; where the source ends while it is being observed, after that. After a
  /// disposal from within a hook, no other is called but `disposed` (C4); from within `observed`, the
  /// source is not observed.
  @inlinable
  public func `do`(
    observed: (() -> Void)? = nil,
    next: ((Element) throws(Failure) -> Void)? = nil,
    afterNext: ((Element) -> Void)? = nil,
    failed: ((Failure) -> Void)? = nil,
    completed: (() -> Void)? = nil,
    disposed: (() -> Void)? = nil
  ) -> EventStream<Element, Failure> {
    let source = link
    return .unguarded(after: source) { observer in
      observed?()
      // Added last, so that it is called before the source is torn down.
      defer {
        if let disposed { observer.observation.add(disposed) }
      }
      source.start(
        Observer(
          next: { element in
            do throws(Failure) {
              try next?(element)
            } catch {
              return observer.failed(error)
            }
            observer.next(element)
            if observer.isActive { afterNext?(element) }
          },
          end: { termination in
            switch termination {
            case .failed(let error): failed?(error)
            case .completed: completed?()
            }
            observer.end(termination)
          },
          heldByEnd: observer.observation))
    }
  }
}
