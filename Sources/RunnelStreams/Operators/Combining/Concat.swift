extension EventStream {
  /// Observes streams one after the other, each when the one before has completed.
  ///
  ///     a               --1--2--|
  ///     b                       --3--|
  ///     concat(a, b)    --1--2----3--|
  ///
  ///     EventStream<Int, Never>.concat(.just(1), .just(2)).observeNext { print($0) }  // 1 2
  @inlinable
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
  ///
  /// *Disposal*: a stream that has ended is released before the next one is observed; an iterator
  /// that keeps its elements keeps them. The last stream of an array is observed in place of the
  /// whole, so that recursion there takes neither stack nor memory (C9).
  @inlinable
  public static func concat(_ streams: some Sequence<EventStream>) -> EventStream {
    .unguarded { observer in
      let next: () -> SequentialObservation<Element, Failure>.Step?
      if var rest = streams.withContiguousStorageIfAvailable({ Array($0.reversed()) }) {
        next = { rest.popLast().map { rest.isEmpty ? .last($0) : .stream($0) } }
      } else {
        var rest = streams.makeIterator()
        next = { rest.next().map { .stream($0) } }
      }
      SequentialObservation(observer) { end in
        if case .failed = end { return nil }
        return next()
      }.begin(with: next() ?? .last(.completed))
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
  ///
  /// *Disposal*: this stream is torn down and released before the next one is observed. A stream may
  /// go on with itself: recursion there takes neither stack nor memory (C9).
  @inlinable
  public func append(_ next: EventStream<Element, Failure>) -> EventStream<Element, Failure> {
    let source = link
    return .unguarded(after: source) { observer in
      var following: EventStream<Element, Failure>? = next
      SequentialObservation(observer) { end in
        if case .failed = end { return nil }
        return following.take().map { .last($0) }
      }.begin(with: .stream(source))
    }
  }
}
