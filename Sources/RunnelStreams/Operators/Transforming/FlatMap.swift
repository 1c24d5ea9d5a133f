extension StreamProtocol {
  /// Creates a stream from each element, and sends the elements of all these inner streams in the
  /// order in which they arrive.
  ///
  ///     twice(x)                -x-x|
  ///     source                  --12-----|
  ///     flatMap { twice($0) }   ---1212--|
  ///
  ///     files.flatMap { upload($0) }.observeNext { show($0) }
  ///
  /// *Events*: completes when the source and all inner streams have completed. The first failure
  /// ends it.
  ///
  /// *Disposal*: disposes the source and all inner streams. An inner stream is released when it has
  /// ended (C9).
  @inlinable
  public func flatMap<Output>(
    _ transform: @escaping (Element) throws(Failure) -> EventStream<Output, Failure>
  ) -> EventStream<Output, Failure> {
    flatMap(maxConcurrent: .max, transform)
  }

  /// Creates a stream from each element, and observes a limited number of these inner streams at a
  /// time. The others wait.
  ///
  ///     twice(x)                                  -x---x|
  ///     source                                    --123----------|
  ///     flatMap(maxConcurrent: 2) { twice($0) }   ---12--123---3-|
  ///
  ///     files.flatMap(maxConcurrent: 4) { upload($0) }.observeNext { show($0) }
  ///
  /// A limit below 1 traps.
  @inlinable
  public func flatMap<Output>(
    maxConcurrent limit: Int,
    _ transform: @escaping (Element) throws(Failure) -> EventStream<Output, Failure>
  ) -> EventStream<Output, Failure> {
    require(limit > 0, "flatMap(maxConcurrent:) needs a limit of at least 1.")
    let source = link
    return .unguarded(after: source) { observer in
      let engine = Flattening(limit: limit, into: observer)
      source.start(
        under: observer.observation,
        next: { element in
          guard engine.output.isOpen else { return }
          do throws(Failure) {
            engine.add(try transform(element))
          } catch {
            engine.end(.failed(error))
          }
        },
        end: { engine.sourceEnded($0) })
    }
  }

  /// Creates a stream from each element, and observes these inner streams one after the other.
  ///
  ///     twice(x)                  -x-x|
  ///     source                    --12-------|
  ///     concatMap { twice($0) }   ---1-1-2-2-|
  ///
  ///     files.concatMap { upload($0) }.observeNext { show($0) }
  @inlinable
  public func concatMap<Output>(
    _ transform: @escaping (Element) throws(Failure) -> EventStream<Output, Failure>
  ) -> EventStream<Output, Failure> {
    flatMap(maxConcurrent: 1, transform)
  }
}
