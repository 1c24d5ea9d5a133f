extension StreamProtocol {
  /// Sends the first element that satisfies a condition, then completes.
  ///
  ///     source                     --1--2--3--4--|
  ///     first(where: { $0 > 2 })   --------3|
  ///
  ///     progress.first(where: { $0 == 1 }).observe(succeeded: { _ in print("done") })
  ///
  /// *Events*: if no element satisfies the condition, the result completes without one. An error
  /// thrown by the closure fails it. For the first element without a condition, use `take(1)`.
  @inlinable
  public func first(
    where isWanted: @escaping (Element) throws(Failure) -> Bool
  ) -> Maybe<Element, Failure> {
    Maybe(
      trusting: .selecting(from: link) { element throws(Failure) in
        try isWanted(element) ? .sendAndStop : .drop
      })
  }
}
