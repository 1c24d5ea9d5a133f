extension EventStream {
  /// A stream of the elements of a sequence, which may be endless.
  ///
  ///     sequence([1, 2, 3])   123|
  ///
  ///     EventStream<Int, Never>.sequence(1...).take(3).observeNext { print($0) }  // 1 2 3
  ///
  /// *Disposal*: it stops between two elements (C8).
  @inlinable
  public static func sequence(_ elements: some Sequence<Element>) -> EventStream {
    .unguarded { observer in
      for element in elements {
        guard observer.isActive else { return }
        observer.next(element)
      }
      observer.completed()
    }
  }
}
