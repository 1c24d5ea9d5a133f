extension StreamProtocol {
  /// Calls closures at certain moments of each observation, and forwards all events unchanged.
  ///
  ///     source      --1--2--|
  ///     do(next:)   --1--2--|     calls next(1), next(2)
  ///
  ///     pages.do(next: { save($0) }, completed: { print("done") }).observeNext { show($0) }
  ///
  /// *Events*: `observed` is called before the source is observed. `next`, `failed` and `completed`
  /// are called before the event is forwarded, `afterNext` after the element is handled downstream.
  /// An error thrown by `next` fails the stream, and `failed` is not called for it.
  ///
  /// *Disposal*: `disposed` is called once, after the end is delivered or on disposal, and before
  /// the source is disposed. If the source ends while it is being observed, `disposed` is called
  /// afterwards. If a closure disposes the observation, only `disposed` is called after that (C4).
  /// If `observed` disposes it, the source is not observed.
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
      let inner = Observer<Element, Failure>(
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
        heldByEnd: observer.observation)
      guard let disposed else { return source.start(inner) }
      // Added after the source, so that it runs before the source is disposed.
      source.startCompletely(inner)
      observer.observation.add(disposed)
    }
  }
}
