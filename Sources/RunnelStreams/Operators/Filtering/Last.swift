extension StreamProtocol {
  /// Sends the last element when the source has completed.
  ///
  ///     source   --1--2--3--|
  ///     last()   -----------3|
  ///
  ///     lines.last().observe(succeeded: { line in show(line ?? "no lines") })
  ///
  /// *Events*: without elements, the result completes without one. A failure discards the element.
  @inlinable
  public func last() -> Maybe<Element, Failure> {
    Maybe(trusting: takeLast(1))
  }

  /// Sends the last element that satisfies a condition when the source has completed.
  ///
  ///     source                    --1--2--3--4--|
  ///     last(where: { $0 < 3 })   --------------2|
  ///
  ///     lines.last(where: { !$0.isEmpty }).observe(succeeded: { line in show(line ?? "none") })
  ///
  /// *Events*: if no element satisfies the condition, the result completes without one. A failure
  /// discards the element. An error thrown by the closure fails the result.
  @inlinable
  public func last(
    where isWanted: @escaping (Element) throws(Failure) -> Bool
  ) -> Maybe<Element, Failure> {
    Maybe(trusting: filter(isWanted).takeLast(1))
  }
}
