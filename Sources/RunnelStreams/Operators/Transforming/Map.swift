extension StreamProtocol {
  /// Transforms each element.
  ///
  ///     source            --1--2--3--|
  ///     map { $0 * 10 }   --10-20-30-|
  ///
  ///     numbers.map { $0 * 10 }.observeNext { print($0) }  // 10 20 30
  ///
  /// *Events*: an error thrown by the closure fails the stream.
  @inlinable
  public func map<Output>(
    _ transform: @escaping (Element) throws(Failure) -> Output
  ) -> EventStream<Output, Failure> {
    let source = link
    return .unguarded(after: source) { observer in
      source.start(
        Observer(before: observer) { element in
          do throws(Failure) {
            observer.next(try transform(element))
          } catch {
            observer.failed(error)
          }
        })
    }
  }
}
