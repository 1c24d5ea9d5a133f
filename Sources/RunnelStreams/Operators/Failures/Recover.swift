extension StreamProtocol {
  /// Sends the given element instead of a failure, and completes. The result cannot fail.
  ///
  ///     source             --1--2--X
  ///     recover(with: 9)   --1--2--9|
  ///
  ///     api.search("Jim").recover(with: []).bind(to: results)
  ///
  /// *Disposal*: the failed stream is disposed before the element is sent.
  @inlinable
  public func recover(with element: Element) -> EventStream<Element, Never> {
    recover(with: .just(element))
  }

  /// Continues with a stream that cannot fail if this one fails. The result cannot fail.
  ///
  ///     source                     --1--2--X
  ///     recover(with: 8--9--|)     --1--2--8--9--|
  ///
  ///     api.load().recover(with: pages).observeNext { show($0) }
  ///
  /// *Disposal*: the failed stream is disposed before the other stream is observed.
  @inlinable
  public func recover(with other: EventStream<Element, Never>) -> EventStream<Element, Never> {
    flatMapFailure(to: Never.self) { _ in other }
  }

  /// Continues with a property, or another source that cannot fail, if this stream fails.
  @_disfavoredOverload
  @inlinable
  public func recover(
    with other: some StreamConvertible<Element, Never>
  ) -> EventStream<Element, Never> {
    recover(with: other.stream)
  }
}
