extension StreamProtocol {
  /// Creates a stream from each element, and sends the elements of the latest of these inner
  /// streams.
  ///
  ///     thrice(x)                      x--x--x|
  ///     source                         --1----2---|
  ///     flatMapLatest { thrice($0) }   --1--1-2--2--2|
  ///
  ///     searchText.flatMapLatest { api.search($0).recover(with: []) }.observeNext { show($0) }
  ///
  /// *Events*: completes when the source and the latest inner stream have completed. The first
  /// failure of either ends it, and so does an error thrown by the closure.
  ///
  /// *Disposal*: for a new element, the closure is called first. Then the previous inner stream is
  /// disposed, and the new one is observed. Inner streams are released when they end or are
  /// replaced (C9).
  @inlinable
  public func flatMapLatest<Output>(
    _ transform: @escaping (Element) throws(Failure) -> EventStream<Output, Failure>
  ) -> EventStream<Output, Failure> {
    let source = link
    return .unguarded(after: source) { observer in
      let engine = Flattening(into: observer)
      source.start(
        under: observer.observation,
        next: { element in
          guard engine.output.isOpen else { return }
          do throws(Failure) {
            engine.replace(with: try transform(element))
          } catch {
            engine.end(.failed(error))
          }
        },
        end: { engine.sourceEnded($0) })
    }
  }
}
