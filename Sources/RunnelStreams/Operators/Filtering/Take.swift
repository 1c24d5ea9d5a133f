extension StreamProtocol {
  /// Takes the first elements, then completes.
  ///
  ///     source    --1--2--3--4--|
  ///     take(2)   --1--2|
  ///
  ///     EventStream<Int, Never>.sequence(1...).take(3).observeNext { print($0) }  // 1 2 3
  ///
  /// *Events*: `take(0)` completes at once and does not observe the source. A negative count is a
  /// mistake of the caller, and traps.
  ///
  /// *Disposal*: the source is torn down when the last element was taken, so an endless one stops
  /// (C8).
  @inlinable
  public func take(_ count: Int) -> EventStream<Element, Failure> {
    require(count >= 0, "take(_:) cannot take \(count) elements: give it zero or more.")
    if count == 0 { return .completed }
    let source = link
    return .unguarded(after: source) { observer in
      let stopper = SourceStopper(before: observer)
      let countdown = Remaining(count)
      source.start(
        stopper.observer { element in
          countdown.count -= 1
          if countdown.count > 0 {
            observer.next(element)
          } else {
            stopper.end(.completed, after: element)
          }
        })
    }
  }
}

/// How many elements one run of an operator still waits for.
@usableFromInline
final class Remaining {
  @usableFromInline @exclusivity(unchecked) var count: Int

  @inlinable
  init(_ count: Int) {
    self.count = count
  }
}
