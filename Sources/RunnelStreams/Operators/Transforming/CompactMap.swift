extension StreamProtocol {
  /// Transforms each element, and drops it if the closure returns nil.
  ///
  ///     source                    --"1"--"a"--"3"--|
  ///     compactMap { Int($0) }    --1---------3----|
  ///
  ///     lines.compactMap { Int($0) }.observeNext { print($0) }  // 1 3
  ///
  /// *Events*: an error thrown by the closure fails the stream.
  @inlinable
  public func compactMap<Output>(
    _ transform: @escaping (Element) throws(Failure) -> Output?
  ) -> EventStream<Output, Failure> {
    let source = link
    return .unguarded(after: source) { observer in
      source.start(
        Observer(before: observer) { element in
          do throws(Failure) {
            if let output = try transform(element) { observer.next(output) }
          } catch {
            observer.failed(error)
          }
        })
    }
  }
}
