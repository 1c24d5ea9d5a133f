extension StreamProtocol {
  /// Sends the element at an index, counted from zero, then completes.
  ///
  ///     source           --a--b--c--|
  ///     element(at: 1)   -----b|
  ///
  ///     lines.element(at: 1).observe(succeeded: { line in show(line ?? "one line") })
  ///
  /// *Events*: if the source completes before that, it completes without an element. A negative
  /// index is a mistake of the caller, and traps.
  public func element(at index: Int) -> Maybe<Element, Failure> {
    require(index >= 0, "element(at:) has no element \(index): give it zero or more.")
    return Maybe(trusting: skip(index).take(1))
  }
}
