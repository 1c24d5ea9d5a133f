extension StreamProtocol {
  /// Drops the last `count` elements. Each element is sent after `count` others have followed it.
  ///
  ///     source        --1--2--3--4--|
  ///     skipLast(2)   --------1--2--|
  ///
  ///     lines.skipLast(1).observeNext { print($0) }  // without the last line
  ///
  /// A negative count traps.
  ///
  /// *Complexity*: stores up to `count` elements.
  @inlinable
  public func skipLast(_ count: Int) -> EventStream<Element, Failure> {
    require(count >= 0, "skipLast(_:) called with a count of \(count). Pass 0 or more.")
    let source = link
    if count == 0 { return source }
    return .unguarded(after: source) { observer in
      var latest = Queue<Element>()
      source.start(
        Observer(before: observer) { element in
          let due = latest.count == count ? latest.popFirst() : nil
          latest.append(element)
          if let due { observer.next(due) }
        })
    }
  }
}
