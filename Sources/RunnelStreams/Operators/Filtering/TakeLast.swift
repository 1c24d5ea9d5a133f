extension StreamProtocol {
  /// Sends the last elements, when the source has completed.
  ///
  ///     source        --1--2--3--|
  ///     takeLast(2)   -----------23|
  ///
  ///     lines.takeLast(10).observeNext { print($0) }
  ///
  /// *Events*: a failure discards them. A negative count is a mistake of the caller, and traps.
  ///
  /// *Complexity*: it keeps as many elements as it will send.
  @inlinable
  public func takeLast(_ count: Int) -> EventStream<Element, Failure> {
    require(count >= 0, "takeLast(_:) cannot take \(count) elements: give it zero or more.")
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
