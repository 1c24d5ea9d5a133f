extension EventStream {
  /// The stream as asynchronous work from its observation to its end. It must not wait for another
  /// element of a stream that it is made from.
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
