extension StreamProtocol {
  /// Observes the stream again when it has completed, until it has run a number of times in all, or
  /// for ever if no count is given.
  ///
  ///     source        --1--2|
  ///     repeated(2)   --1--2--1--2|
  ///
  ///     numbers.repeated(2).observeNext { print($0) }  // 1 2 3 4 1 2 3 4
  ///
  /// *Events*: a failure ends it. Zero times completes without observing the stream; a negative
  /// count is a mistake of the caller, and traps.
  ///
  /// *Disposal*: repeated for ever, a stream that completes at once is run until the observation is
  /// disposed (C8).
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
      SequentialObservation(observer) { end in
        if case .failed = end { return nil }
        return next()
      }.begin(with: next() ?? .last(.completed))
    }
  }
}
