extension StreamProtocol {
  /// Combines all elements, and sends the result when the source has completed.
  ///
  ///     source          --1--2--3--|
  ///     reduce(0, +)    -----------6|
  ///
  ///     numbers.reduce(0, +).observe(succeeded: { print($0) })  // 10
  ///
  /// *Events*: without elements, the initial result is sent. A failure discards the result. An
  /// error thrown by the closure fails the stream.
  @inlinable
  public func reduce<Result>(
    _ initialResult: Result,
    _ nextPartialResult: @escaping (Result, Element) throws(Failure) -> Result
  ) -> Single<Result, Failure> {
    reduce(into: initialResult) { (result: inout Result, element: Element) throws(Failure) in
      result = try nextPartialResult(result, element)
    }
  }

  /// Updates a value with each element, and sends it when the source has completed.
  ///
  ///     source                            --"a"--"b"--|
  ///     reduce(into: []) { $0 += [$1] }   ------------["a","b"]|
  ///
  ///     words.reduce(into: [:]) { $0[$1, default: 0] += 1 }.observe(succeeded: { show($0) })
  ///
  /// *Events*: without elements, the initial value is sent. A failure discards the value. An error
  /// thrown by the closure fails the stream.
  @inlinable
  public func reduce<Result>(
    into initialResult: Result,
    _ updateAccumulatingResult: @escaping (inout Result, Element) throws(Failure) -> Void
  ) -> Single<Result, Failure> {
    let source = link
    let stream = EventStream<Result, Failure>.unguarded(after: source) { observer in
      var result = initialResult
      source.start(
        Observer(
          next: { element in
            do throws(Failure) {
              try updateAccumulatingResult(&result, element)
            } catch {
              observer.failed(error)
            }
          },
          end: { termination in
            if case .completed = termination { observer.next(result) }
            observer.end(termination)
          },
          observation: observer.observation))
    }
    return Single(trusting: stream)
  }

  /// Collects all elements, and sends them as an array when the source has completed.
  ///
  ///     source       --1--2--3--|
  ///     toArray()    -----------[1,2,3]|
  ///
  ///     EventStream<Int, Never>.sequence(1...3).toArray().observe(succeeded: { print($0) })  // [1, 2, 3]
  ///
  /// *Events*: without elements, an empty array is sent. A failure discards the elements.
  @inlinable
  public func toArray() -> Single<[Element], Failure> {
    reduce(into: []) { $0.append($1) }
  }
}
