extension StreamProtocol {
  /// Combines each element with the previous result, and sends the new result.
  ///
  ///     source        --1--2--3--|
  ///     scan(0, +)    --1--3--6--|
  ///
  ///     numbers.scan(0, +).observeNext { print($0) }  // 1 3 6 10
  ///
  /// *Events*: the initial result is not sent. An error thrown by the closure fails the stream.
  @inlinable
  public func scan<Result>(
    _ initialResult: Result,
    _ nextPartialResult: @escaping (Result, Element) throws(Failure) -> Result
  ) -> EventStream<Result, Failure> {
    let source = link
    return .unguarded(after: source) { observer in
      var result = initialResult
      source.start(
        Observer(before: observer) { element in
          do throws(Failure) {
            result = try nextPartialResult(result, element)
          } catch {
            return observer.failed(error)
          }
          observer.next(result)
        })
    }
  }

  /// Updates a value with each element, and sends it after each update.
  ///
  ///     source                           --"a"----"b"--------|
  ///     scan(into: []) { $0 += [$1] }    --["a"]--["a","b"]--|
  ///
  ///     words.scan(into: [:]) { $0[$1, default: 0] += 1 }.observeNext { show($0) }
  ///
  /// *Events*: the initial value is not sent. An error thrown by the closure fails the stream.
  ///
  /// *Complexity*: a collection is updated in place, unless an observer has stored an earlier
  /// value.
  @inlinable
  public func scan<Result>(
    into initialResult: Result,
    _ updateAccumulatingResult: @escaping (inout Result, Element) throws(Failure) -> Void
  ) -> EventStream<Result, Failure> {
    let source = link
    return .unguarded(after: source) { observer in
      var result = initialResult
      source.start(
        Observer(before: observer) { element in
          do throws(Failure) {
            try updateAccumulatingResult(&result, element)
          } catch {
            return observer.failed(error)
          }
          observer.next(result)
        })
    }
  }
}
