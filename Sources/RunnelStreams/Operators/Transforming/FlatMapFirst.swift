extension StreamProtocol {
  /// Makes a stream of an element and sends what it sends; elements that come meanwhile are ignored.
  ///
  ///     thrice(x)                     x--x--x|
  ///     source                        --1--2-----3--|
  ///     flatMapFirst { thrice($0) }   --1--1--1--3--3--3|
  ///
  ///     saveButton.taps.flatMapFirst { upload(draft) }.observeNext { show($0) }
  ///
  /// *Events*: the closure is not called for an element that is ignored. It completes when the
  /// source and the inner stream have; the first failure of either ends it, and so does an error
  /// thrown by the closure.
  ///
  /// *Disposal*: disposes the source and the inner stream. One that has ended leaves nothing behind
  /// (C9).
  @inlinable
  public func flatMapFirst<Output>(
    _ transform: @escaping (Element) throws(Failure) -> EventStream<Output, Failure>
  ) -> EventStream<Output, Failure> {
    let source = link
    return .unguarded(after: source) { observer in
      let switching = Switching(into: observer)
      source.start(
        under: observer.observation,
        next: { element in
          guard switching.isIdle else { return }
          do throws(Failure) {
            switching.observe(try transform(element))
          } catch {
            switching.output.end(.failed(error))
          }
        },
        end: { switching.sourceEnded($0) })
    }
  }
}
