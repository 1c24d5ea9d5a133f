extension StreamProtocol {
  /// Sends each element together with the previous one.
  ///
  ///     source        --1--2-----3-----|
  ///     pairwise()    -----(1,2)-(2,3)-|
  ///
  ///     prices.pairwise().observeNext { before, now in print("changed by", now - before) }
  ///
  /// *Events*: nothing is sent for the first element.
  @inlinable
  public func pairwise() -> EventStream<(Element, Element), Failure> {
    let source = link
    return .unguarded(after: source) { observer in
      var latest: Element?
      source.start(
        Observer(before: observer) { element in
          let previous = latest
          latest = .some(element)
          if let previous { observer.next((previous, element)) }
        })
    }
  }
}
