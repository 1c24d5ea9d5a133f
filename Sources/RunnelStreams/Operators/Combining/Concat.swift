extension EventStream {
  /// Observes streams one after the other: each when the previous one has completed.
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

  /// Observes the streams of a sequence one after the other. The sequence may be infinite.
  ///
  ///     a                --1--2--|
  ///     b                        --3--|
  ///     concat([a, b])   --1--2----3--|
  ///
  ///     EventStream.concat(mirrors.lazy.map { $0.load() }).observe(next: { show($0) })
  ///
  /// *Disposal*: a stream that has completed is released before the next one is observed, unless
  /// the iterator of the sequence retains it. The last stream of an array replaces the
  /// concatenation itself, so recursion through the last stream uses no stack and no memory (C9).
  @inlinable
  public static func concat(_ streams: some Sequence<EventStream>) -> EventStream {
    // The closure of an array must not capture the streams themselves, only the links.
    guard let links = streams.links() else {
      return .unguarded { observer in
        var rest = streams.makeIterator()
        concatenate(into: observer) { rest.next().map { .stream($0) } }
      }
    }
    return .unguarded(afterSteps: links.mostSteps) { observer in
      var rest = Array(links.reversed())
      concatenate(into: observer) { rest.popLast().map { rest.isEmpty ? .last($0) : .stream($0) } }
    }
  }

  @inlinable
  static func concatenate(
    into observer: Observer<Element, Failure>,
    _ next: @escaping () -> SequentialObservation<Element, Failure>.Step?
  ) {
    SequentialObservation(observer, untilFailure: next).begin(with: next() ?? .last(.completed))
  }

  /// Observes several streams, traits or properties one after the other.
  @_disfavoredOverload
  @inlinable
  public static func concat(_ sources: any StreamConvertible<Element, Failure>...) -> EventStream {
    concat(sources.map { $0.stream })
  }
}

extension StreamProtocol {
  /// Continues with another stream when this stream has completed.
  ///
  ///     source            --1--2--|
  ///     append(.just(3))  --1--2--3|
  ///
  ///     EventStream<Int, Never>.just(1).append(.just(2)).observeNext { print($0) }  // 1 2
  ///
  /// *Disposal*: this stream is disposed and released before the next one is observed. A stream may
  /// append itself: the recursion uses no stack and no memory (C9).
  @inlinable
  public func append(_ next: EventStream<Element, Failure>) -> EventStream<Element, Failure> {
    let source = link
    let next = next.link
    return .unguarded(after: source, and: next) { observer in
      var following: EventStream<Element, Failure>? = next
      SequentialObservation(observer, untilFailure: { following.take().map { .last($0) } })
        .begin(with: .stream(source))
    }
  }

  /// Continues with another stream, trait or property when this stream has completed.
  @_disfavoredOverload
  @inlinable
  public func append(
    _ next: some StreamConvertible<Element, Failure>
  ) -> EventStream<Element, Failure> {
    append(next.stream)
  }
}
