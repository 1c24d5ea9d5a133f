extension EventStream {
  /// Sends the elements of several streams in the order in which they arrive.
  ///
  ///     a             --1-----3--|
  ///     b             ----2--------4--|
  ///     merge(a, b)   --1-2---3----4--|
  ///
  ///     EventStream.merge(taps, shortcuts).observeNext { save() }
  ///
  /// *Events*: completes when all streams have completed. The first failure ends it and disposes
  /// the others. With a limit, at most that many streams are observed at a time, in the order of
  /// the list, and the others wait. A limit below 1 traps.
  @inlinable
  public static func merge(
    maxConcurrent limit: Int = .max, _ streams: EventStream...
  ) -> EventStream {
    merge(maxConcurrent: limit, streams)
  }

  /// Sends the elements of all streams of a sequence in the order in which they arrive.
  ///
  ///     a               --1-----3--|
  ///     b               ----2--------4--|
  ///     merge([a, b])   --1-2---3----4--|
  ///
  ///     EventStream.merge(maxConcurrent: 4, mirrors.map { $0.load() }).observe(next: { show($0) })
  ///
  /// *Events*: as with a list of streams. The sequence is read to its end when the stream is
  /// observed, so it must be finite. `concat(_:)` accepts an infinite sequence.
  ///
  /// *Types*: if the streams can fail and an operator with a closure follows, the compiler infers
  /// `Never` as the failure type. Write the type: `EventStream<Int, LoadError>.merge(list)`.
  @inlinable
  public static func merge(
    maxConcurrent limit: Int = .max, _ streams: some Sequence<EventStream>
  ) -> EventStream {
    require(limit > 0, "merge(maxConcurrent:) needs a limit of at least 1.")
    if let links = streams.links() { return merging(links, limit, afterSteps: links.mostSteps) }
    return merging(streams, limit, afterSteps: 0)
  }

  @inlinable
  static func merging(
    _ streams: some Sequence<EventStream>, _ limit: Int, afterSteps steps: Int
  ) -> EventStream {
    .unguarded(afterSteps: steps) { observer in
      let engine = Flattening(limit: limit, into: observer)
      for stream in streams {
        guard engine.output.isOpen else { return }
        engine.add(stream)
      }
      engine.sourceEnded(.completed)
    }
  }

  /// Sends the elements of several streams, properties or controls in the order in which they
  /// arrive.
  @_disfavoredOverload
  @inlinable
  public static func merge(
    maxConcurrent limit: Int = .max, _ sources: any StreamConvertible<Element, Failure>...
  ) -> EventStream {
    merge(maxConcurrent: limit, sources.map { $0.stream })
  }

  /// Sends the elements of all properties or controls of a sequence in the order in which they
  /// arrive.
  @_disfavoredOverload
  @inlinable
  public static func merge(
    maxConcurrent limit: Int = .max,
    _ sources: some Sequence<some StreamConvertible<Element, Failure>>
  ) -> EventStream {
    merge(maxConcurrent: limit, sources.map { $0.stream })
  }
}

extension StreamProtocol {
  /// Sends the elements of this stream and of another one in the order in which they arrive.
  ///
  ///     source         --1-----3--|
  ///     other          ----2--------4--|
  ///     merge(other)   --1-2---3----4--|
  ///
  ///     taps.merge(shortcuts).observeNext { save() }
  ///
  /// *Events*: as for the static form of `merge`.
  @inlinable
  public func merge(
    _ other: some StreamConvertible<Element, Failure>
  ) -> EventStream<Element, Failure> {
    .merge(stream, other.stream)
  }
}
