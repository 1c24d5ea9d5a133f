extension StreamProtocol {
  /// Sends the given elements before those of the stream.
  ///
  ///     source            ----1--2--|
  ///     startWith(8, 9)   89--1--2--|
  ///
  ///     names.startWith("nobody").observeNext { show("\($0) came last") }
  ///
  /// *Events*: the stream is observed after the given elements are sent. Elements that a hot stream
  /// sends before that are missed.
  public func startWith(_ elements: Element...) -> EventStream<Element, Failure> {
    let source = link
    return .unguarded(after: source) { observer in
      for element in elements { observer.next(element) }
      source.start(observer)
    }
  }
}
