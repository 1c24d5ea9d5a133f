extension EventStream {
  /// The stream as asynchronous work, from its observation to its end. While many elements wait behind
  /// such work in `flatMap(maxConcurrent:)` or `concatMap`, their source is paused.
  ///
  ///     lines.flatMap(maxConcurrent: 100) { line in upload(line).asWork }.observeNext { show($0) }
  ///
  /// Use it for a stream that is made of a callback. `perform`, tasks, timers, and what the library sends are
  /// work already. A stream that waits for a later element of the same source is no work: the source
  /// would wait for it for ever.
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
