extension EventStream {
  /// The stream as asynchronous work, from its observation to its end. While many elements wait behind
  /// such work in `flatMap(maxConcurrent:)` or `concatMap`, their source is paused.
  ///
  ///     files.flatMap(maxConcurrent: 100) { file in upload(file).asWork }.observeNext { show($0) }
  ///
  /// Use it for a stream that is made of a callback. `perform`, tasks, timers and requests of a client are
  /// work already. Do not use it for a stream that waits for a later element of the same source: both
  /// would wait for ever.
  public var asWork: EventStream {
    let source = link
    return .unguarded(after: source) { observer in
      guard let work = Work.Piece.begin() else { return source.start(observer) }
      observer.observation.add(work)
      source.start(
        Observer(
          next: { element in work.deliver { observer.next(element) } },
          end: { termination in work.deliver { observer.end(termination) } },
          heldByEnd: observer.observation))
    }
  }
}
