extension StreamProtocol {
  /// Sends the element at an index, counted from zero, then completes.
  ///
  ///     source           --a--b--c--|
  ///     element(at: 1)   -----b|
  ///
  ///     lines.element(at: 1).observe(succeeded: { line in show(line ?? "one line") })
  ///
  /// *Events*: if the source has fewer elements, the result completes without one. A negative index
  /// traps.
  @inlinable
  public func element(at index: Int) -> Maybe<Element, Failure> {
    require(index >= 0, "element(at:) called with an index of \(index). Pass 0 or more.")
    return Maybe(trusting: skip(index).take(1))
  }
}
