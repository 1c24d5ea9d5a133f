extension StreamProtocol {
  /// Sends the last `count` elements when the source has completed.
  ///
  ///     source        --1--2--3--|
  ///     takeLast(2)   -----------23|
  ///
  ///     lines.takeLast(10).observeNext { print($0) }
  ///
  /// *Events*: a failure discards the elements. A negative count traps.
  ///
  /// *Complexity*: stores up to `count` elements.
  @inlinable
  public func takeLast(_ count: Int) -> EventStream<Element, Failure> {
    require(count >= 0, "takeLast(_:) called with a count of \(count). Pass 0 or more.")
    let source = link
    return .unguarded(after: source) { observer in
      var latest = Queue<Element>()
      source.start(
        Observer(
          next: { element in
            if count == 0 { return }
            if latest.count == count { _ = latest.popFirst() }
            latest.append(element)
          },
          end: { termination in
            if case .completed = termination {
              while observer.isActive, let element = latest.popFirst() { observer.next(element) }
            }
            observer.end(termination)
          }, observation: observer.observation))
    }
  }
}
