extension StreamProtocol {
  /// Drops all elements, and forwards only the end.
  ///
  ///     source              --1--2--3--|
  ///     ignoreElements()    -----------|
  ///
  ///     lines.ignoreElements(as: Page.self).append(.just(lastPage)).observeNext { show($0) }
  ///
  /// *Events*: because no elements are sent, the element type can be chosen freely: `Never`, or the
  /// type that surrounding streams need.
  @inlinable
  public func ignoreElements<Output>(
    as type: Output.Type = Never.self
  ) -> EventStream<Output, Failure> {
    let source = link
    return .unguarded(after: source) { observer in
      source.start(Observer(before: observer) { _ in })
    }
  }
}
