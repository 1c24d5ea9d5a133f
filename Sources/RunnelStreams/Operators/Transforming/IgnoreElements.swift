extension StreamProtocol {
  /// Lets only the end pass.
  ///
  ///     source              --1--2--3--|
  ///     ignoreElements()    -----------|
  ///
  ///     lines.ignoreElements(as: Page.self).append(.just(lastPage)).observeNext { show($0) }
  ///
  /// *Events*: as nothing is sent, the elements may be said to be of any type: `Never`, or what
  /// fits the streams around it.
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
