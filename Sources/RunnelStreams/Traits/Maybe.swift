/// An operation that sends one element, completes without one, or fails: for example a look-up in a
/// cache.
///
///     let cached = Maybe<Page, Never> { finish in
///       finish(.success(pagesByName["home"]))
///       return .none
///     }
///     cached.observe(succeeded: { page in show(page ?? lastPage) })
public struct Maybe<Element, Failure: Error>: StreamConvertible {
  /// The maybe as a stream, which sends at most one element before it completes, or fails.
  public let stream: EventStream<Element, Failure>

  /// The stream must send at most one element.
  @inlinable
  package init(trusting stream: EventStream<Element, Failure>) {
    self.stream = stream
  }

  /// Creates a maybe from a closure that starts the operation when it is observed. The closure
  /// calls `finish` once, at once or later, with nil if there is no element. Further calls are
  /// ignored.
  @inlinable
  public init(
    _ work: @escaping (_ finish: @escaping (Result<Element?, Failure>) -> Void) -> Disposable
  ) {
    stream = EventStream { observer in
      var isFinished = false
      return work { result in
        // Also ignores a call made while the first result is delivered.
        guard !isFinished else { return }
        isFinished = true
        switch result {
        case .success(let element):
          if let element { observer.next(element) }
          observer.completed()
        case .failure(let error): observer.failed(error)
        }
      }
    }
  }

  /// Returns a maybe that sends the given element, or completes without one if it is nil.
  @inlinable
  public static func just(_ element: Element?) -> Maybe {
    Maybe(trusting: element.map { .just($0) } ?? .completed)
  }

  /// Returns a maybe that fails at once.
  @inlinable
  public static func failed(_ error: Failure) -> Maybe {
    Maybe(trusting: .failed(error))
  }

  /// Creates a maybe from the first element of a stream. The stream is disposed after that element.
  ///
  ///     Maybe(firstOf: lines).observe(succeeded: { line in show(line ?? "nothing") })
  @inlinable
  public init(firstOf stream: EventStream<Element, Failure>) {
    self.init(trusting: stream.take(1))
  }

  /// Starts the operation and calls one of the closures when it ends. `succeeded` receives the
  /// element, or nil if there is none.
  @discardableResult
  public func observe(
    file: StaticString = #fileID, line: UInt = #line,
    succeeded: @escaping (Element?) -> Void = { _ in },
    failed: ((Failure) -> Void)? = nil
  ) -> Disposable {
    var found: Element?
    return stream.observe(
      file: file, line: line,
      next: { found = $0 },
      failed: failed,
      completed: { succeeded(found) })
  }

  /// Starts the operation and waits for its element. Returns nil if there is none, or if the task
  /// is cancelled first.
  ///
  ///     if let line = await Maybe(firstOf: lines).value() { show(line) }
  ///
  /// *Disposal*: cancelling the task disposes the operation.
  public func value(
    isolation: isolated (any Actor)? = #isolation
  ) async throws(Failure) -> Element? {
    try await stream.first(isolation: isolation)
  }

  /// Transforms the element, if there is one.
  @inlinable
  public func map<Output>(
    _ transform: @escaping (Element) throws(Failure) -> Output
  ) -> Maybe<Output, Failure> {
    Maybe<Output, Failure>(trusting: stream.map(transform))
  }

  /// Sends the element only if it satisfies a condition.
  @inlinable
  public func filter(_ isIncluded: @escaping (Element) throws(Failure) -> Bool) -> Maybe {
    Maybe(trusting: stream.filter(isIncluded))
  }

  /// Continues with another maybe that the closure creates from the element, if there is one.
  @inlinable
  public func flatMap<Output>(
    _ transform: @escaping (Element) throws(Failure) -> Maybe<Output, Failure>
  ) -> Maybe<Output, Failure> {
    Maybe<Output, Failure>(
      trusting: stream.flatMap { element throws(Failure) in try transform(element).stream })
  }

  /// Continues with another maybe when this one fails.
  @inlinable
  public func `catch`(_ handler: @escaping (Failure) -> Maybe) -> Maybe {
    Maybe(trusting: stream.catch { handler($0).stream })
  }

  /// Returns a single of the element, or of the given one if there is none.
  @inlinable
  public func ifEmpty(default element: Element) -> Single<Element, Failure> {
    Single(trusting: stream.ifEmpty(default: element))
  }

  /// Returns a single of the element. If there is none, continues with the other single.
  @inlinable
  public func ifEmpty(switchTo other: Single<Element, Failure>) -> Single<Element, Failure> {
    Single(trusting: stream.ifEmpty(switchTo: other.stream))
  }
}
