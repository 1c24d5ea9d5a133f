extension StreamProtocol {
  /// Sends elements while they satisfy a condition, then completes.
  ///
  ///     source                    --1--2--3--1--|
  ///     take(while: { $0 < 3 })   --1--2--|
  ///
  ///     lines.take(while: { $0 != "end" }).observeNext { print($0) }
  ///
  /// *Events*: the first element that does not satisfy the condition is dropped. To send it too,
  /// use ``take(through:)``. An error thrown by the closure fails the stream.
  @inlinable
  public func take(
    while isIncluded: @escaping (Element) throws(Failure) -> Bool
  ) -> EventStream<Element, Failure> {
    .selecting(from: link) { element throws(Failure) in
      try isIncluded(element) ? .send : .stop
    }
  }

  /// Sends elements up to and including the first one that satisfies a condition, then completes.
  ///
  ///     source                      --1--2--3--1--|
  ///     take(through: { $0 == 3 })  --1--2--3|
  ///
  ///     progress.take(through: { $0 == 1 }).observeNext { bar.fraction = $0 }
  ///
  /// *Events*: an error thrown by the closure fails the stream.
  @inlinable
  public func take(
    through isLast: @escaping (Element) throws(Failure) -> Bool
  ) -> EventStream<Element, Failure> {
    .selecting(from: link) { element throws(Failure) in
      try isLast(element) ? .sendAndStop : .send
    }
  }
}
