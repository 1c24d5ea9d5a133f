extension EventStream {
  /// Returns a stream that sends one element `count` times, or without end if no count is given.
  ///
  ///     repeating(7, count: 3)   777|
  ///
  ///     EventStream<Int, Never>.repeating(7, count: 3).observeNext { print($0) }  // 7 7 7
  ///
  /// *Events*: a negative count traps.
  ///
  /// *Disposal*: the stream checks its observation between elements (C8).
  @inlinable
  public static func repeating(_ element: Element, count: Int = .max) -> EventStream {
    require(count >= 0, "repeating(_:count:) needs a count of at least 0.")
    return .sequence(repeatElement(element, count: count))
  }
}
