extension StreamProtocol {
  /// Creates a stream from an element, and sends its elements. Elements of the source are ignored
  /// until this inner stream has completed.
  ///
  ///     thrice(x)                     x--x--x|
  ///     source                        --1--2-----3--|
  ///     flatMapFirst { thrice($0) }   --1--1--1--3--3--3|
  ///
  ///     saveButton.taps.flatMapFirst { upload(draft) }.observeNext { show($0) }
  ///
  /// *Events*: the closure is not called for ignored elements. The result completes when the source
  /// and the inner stream have completed. The first failure of either ends it, and so does an error
  /// thrown by the closure.
  ///
  /// *Disposal*: disposes the source and the inner stream. An inner stream is released when it has
  /// ended (C9).
  @inlinable
  public func flatMapFirst<Output>(
    _ transform: @escaping (Element) throws(Failure) -> EventStream<Output, Failure>
  ) -> EventStream<Output, Failure> {
    let source = link
    return .unguarded(after: source) { observer in
      let engine = Flattening(into: observer)
      source.start(
        under: observer.observation,
        next: { element in
          guard engine.isIdle else { return }
          do throws(Failure) {
            engine.add(try transform(element))
          } catch {
            engine.end(.failed(error))
          }
        },
        end: { engine.sourceEnded($0) })
    }
  }
}
