extension StreamProtocol {
  /// Sends the last element, when the source has completed.
  ///
  ///     source   --1--2--3--|
  ///     last()   -----------3|
  ///
  ///     lines.last().observeNext { print("it ends with", $0) }
  ///
  /// *Events*: without elements it completes without one; a failure discards it.
  public func last() -> EventStream<Element, Failure> {
    takeLast(1)
  }

  /// Sends the last element that satisfies a condition, when the source has completed.
  ///
  ///     source                    --1--2--3--4--|
  ///     last(where: { $0 < 3 })   --------------2|
  ///
  ///     lines.last(where: { !$0.isEmpty }).observeNext { print($0) }
  ///
  /// *Events*: where none satisfies it, it completes without an element; a failure discards it. An
  /// error thrown by the closure fails the stream.
  public func last(
    where isWanted: @escaping (Element) throws(Failure) -> Bool
  ) -> EventStream<Element, Failure> {
    filter(isWanted).takeLast(1)
  }
}
