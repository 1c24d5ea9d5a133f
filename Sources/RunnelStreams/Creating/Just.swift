extension EventStream {
  /// Returns a stream that sends one element and completes.
  ///
  ///     just(1)   1|
  ///
  ///     EventStream<Int, Never>.just(1).observeNext { print($0) }  // 1
  @inlinable
  public static func just(_ element: Element) -> EventStream {
    .unguarded { observer in
      observer.next(element)
      observer.completed()
    }
  }
}
