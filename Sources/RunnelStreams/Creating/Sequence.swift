extension EventStream {
  /// Returns a stream that sends the elements of a sequence, which may be infinite.
  ///
  ///     sequence([1, 2, 3])   123|
  ///
  ///     EventStream<Int, Never>.sequence(1...).take(3).observeNext { print($0) }  // 1 2 3
  ///
  /// *Disposal*: the stream checks its observation before it reads each element of the sequence
  /// (C8).
  @inlinable
  public static func sequence(_ elements: some Sequence<Element>) -> EventStream {
    .unguarded { observer in
      var iterator = elements.makeIterator()
      while observer.isActive, let element = iterator.next() { observer.next(element) }
      observer.completed()
    }
  }
}
