extension StreamProtocol {
  /// Sends some elements before those of the stream.
  ///
  ///     source            --1--2--|
  ///     startWith(8, 9)   89--1--2--|
  ///
  ///     names.startWith("nobody").observeNext { show("\($0) came last") }
  ///
  /// *Events*: the stream is observed after the elements were sent; what a hot stream sends
  /// meanwhile is missed.
  public func startWith(_ elements: Element...) -> EventStream<Element, Failure> {
    let source = link
    return .unguarded(after: source) { observer in
      for element in elements { observer.next(element) }
      source.start(observer)
    }
  }
}
