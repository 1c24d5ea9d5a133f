extension StreamProtocol {
  /// Sends the first `count` elements, then completes.
  ///
  ///     source    --1--2--3--4--|
  ///     take(2)   --1--2|
  ///
  ///     EventStream<Int, Never>.sequence(1...).take(3).observeNext { print($0) }  // 1 2 3
  ///
  /// *Events*: `take(0)` completes at once and does not observe the source. A negative count traps.
  ///
  /// *Disposal*: the source is disposed after the last element is sent, so an infinite source stops
  /// (C8).
  @inlinable
  public func take(_ count: Int) -> EventStream<Element, Failure> {
    require(count >= 0, "take(_:) called with a count of \(count). Pass 0 or more.")
    if count == 0 { return .completed }
    let source = link
    return .unguarded(after: source) { observer in
      let stopper = SourceStopper(before: observer)
      let remaining = Remaining(count)
      source.start(
        stopper.observer { element in
          remaining.count -= 1
          if remaining.count > 0 {
            observer.next(element)
          } else {
            stopper.end(.completed, after: element)
          }
        })
    }
  }
}

/// The number of elements that one observation of an operator still waits for.
@usableFromInline
final class Remaining {
  @usableFromInline @exclusivity(unchecked) var count: Int

  @inlinable
  init(_ count: Int) {
    self.count = count
  }
}
