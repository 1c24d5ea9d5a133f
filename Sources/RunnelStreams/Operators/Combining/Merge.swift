extension EventStream {
  /// Sends what all of the streams send, as it comes.
  ///
  ///     a             --1-----3--|
  ///     b             ----2--------4--|
  ///     merge(a, b)   --1-2---3----4--|
  ///
  ///     EventStream.merge(taps.stream, shortcuts.stream).observeNext { save() }
  ///
  /// *Events*: it completes when all have; the first failure ends it and disposes the others. With
  /// a limit, no more than that are observed at a time, in the order they are given, and the others
  /// wait. A limit below one is a mistake of the caller, and traps.
  @inlinable
  public static func merge(
    maxConcurrent limit: Int = .max, _ streams: EventStream...
  ) -> EventStream {
    merge(maxConcurrent: limit, streams)
  }

  /// Sends what all streams of a sequence send, as it comes.
  ///
  ///     a               --1-----3--|
  ///     b               ----2--------4--|
  ///     merge([a, b])   --1-2---3----4--|
  ///
  ///     EventStream.merge(maxConcurrent: 4, mirrors.map { $0.load() }).observe(next: { show($0) })
  ///
  /// *Events*: as with a list of streams. The sequence is walked to its end when the stream is
  /// observed, so it must have one; with ``concat(_:)`` it may be endless.
  ///
  /// *Types*: where the streams can fail and an operator with a closure follows, the compiler would
  /// take the failure for `Never`. Name the type: `EventStream<Int, LoadError>.merge(list)`.
  @inlinable
  public static func merge(
    maxConcurrent limit: Int = .max, _ streams: some Sequence<EventStream>
  ) -> EventStream {
    require(limit > 0, "merge(maxConcurrent:) needs a limit of at least 1.")
    return .unguarded { observer in
      let merging = Merging(limit: limit, into: observer)
      for stream in streams {
        guard merging.output.isOpen else { return }
        merging.add(stream)
      }
      merging.sourceEnded(.completed)
    }
  }
}
