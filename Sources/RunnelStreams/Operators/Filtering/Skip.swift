extension StreamProtocol {
  /// Drops the first `count` elements.
  ///
  ///     source    --1--2--3--4--|
  ///     skip(2)   --------3--4--|
  ///
  ///     name.skip(1).observeNext { print("changed to", $0) }  // skips the initial value
  ///
  /// A negative count traps.
  @inlinable
  public func skip(_ count: Int) -> EventStream<Element, Failure> {
    require(count >= 0, "skip(_:) called with a count of \(count). Pass 0 or more.")
    let source = link
    if count == 0 { return source }
    return .unguarded(after: source) { observer in
      let remaining = Remaining(count)
      source.start(
        Observer(before: observer) { element in
          if remaining.count == 0 { observer.next(element) } else { remaining.count -= 1 }
        })
    }
  }
}
