extension EventStream {
  /// The stream as asynchronous work from its observation to its end. Not for a stream that waits for
  /// the next element of the source of the operator: the source would wait for it.
  package var asWork: EventStream {
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
