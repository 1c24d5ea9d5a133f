extension StreamProtocol {
  /// Drops the first elements.
  ///
  ///     source    --1--2--3--4--|
  ///     skip(2)   --------3--4--|
  ///
  ///     name.skip(1).observeNext { print("changed to", $0) }  // not the value it begins with
  ///
  /// A negative count is a mistake of the caller, and traps.
  @inlinable
  public func skip(_ count: Int) -> EventStream<Element, Failure> {
    require(count >= 0, "skip(_:) cannot skip \(count) elements: give it zero or more.")
    let source = link
    if count == 0 { return source }
    return .unguarded(after: source) { observer in
      let countdown = Remaining(count)
      source.start(
        Observer(before: observer) { element in
          if countdown.count == 0 { observer.next(element) } else { countdown.count -= 1 }
        })
    }
  }
}
