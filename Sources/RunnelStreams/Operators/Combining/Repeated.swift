extension StreamProtocol {
  /// Observes the stream again each time it completes, up to `count` times in total, or without end
  /// if no count is given.
  ///
  ///     source        --1--2|
  ///     repeated(2)   --1--2--1--2|
  ///
  ///     numbers.repeated(2).observeNext { print($0) }  // 1 2 3 4 1 2 3 4
  ///
  /// *Events*: a failure ends the stream. A count of 0 completes without observing the source. A
  /// negative count traps.
  ///
  /// *Disposal*: without a count, a source that completes immediately is observed again and again
  /// until the observation is disposed (C8).
  @inlinable
  public func repeated(_ count: Int = .max) -> EventStream<Element, Failure> {
    require(count >= 0, "repeated(_:) needs a count of at least 0.")
    let source = link
    return .unguarded(after: source) { observer in
      var left = count
      let next: () -> SequentialObservation<Element, Failure>.Step? = {
        guard left > 0 else { return nil }
        left -= 1
        return left == 0 ? .last(source) : .stream(source)
      }
      SequentialObservation(observer, untilFailure: next).begin(with: next() ?? .last(.completed))
    }
  }
}
