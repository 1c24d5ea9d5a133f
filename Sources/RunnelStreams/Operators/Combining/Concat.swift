extension EventStream {
  /// Observes streams one after the other, each when the one before has completed.
  ///
  ///     a               --1--2--|
  ///     b                       --3--|
  ///     concat(a, b)    --1--2----3--|
  ///
  ///     EventStream<Int, Never>.concat(.just(1), .just(2)).observeNext { print($0) }  // 1 2
  public static func concat(_ streams: EventStream...) -> EventStream {
    concat(streams)
  }

  /// Observes the streams of a sequence, which may be endless, one after the other.
  ///
  ///     a                --1--2--|
  ///     b                        --3--|
  ///     concat([a, b])   --1--2----3--|
  ///
  ///     EventStream.concat(mirrors.lazy.map { $0.load() }).observe(next: { show($0) })
  public static func concat(_ streams: some Sequence<EventStream>) -> EventStream {
    .unguarded { observer in
      var rest = streams.makeIterator()
      Succession(observer) { end in
        if case .failed = end { return nil }
        return rest.next()
      }.begin(with: rest.next() ?? .completed)
    }
  }
}

extension StreamProtocol {
  /// Goes on with another stream when this one has completed.
  ///
  ///     source            --1--2--|
  ///     append(.just(3))  --1--2--3|
  ///
  ///     EventStream<Int, Never>.just(1).append(.just(2)).observeNext { print($0) }  // 1 2
  public func append(_ next: EventStream<Element, Failure>) -> EventStream<Element, Failure> {
    .concat(stream, next)
  }
}
