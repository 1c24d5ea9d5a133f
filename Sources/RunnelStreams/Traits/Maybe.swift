/// One element, or none, or a failure: a look-up, a cache.
///
///     let cached = Maybe<Page, Never> { finish in
///       finish(.success(pagesByName["home"]))
///       return .none
///     }
///     cached.observe(succeeded: { page in show(page ?? lastPage) })
public struct Maybe<Element, Failure: Error>: StreamConvertible {
  /// The maybe as a stream: at most one element and completion, or a failure.
  public let stream: EventStream<Element, Failure>

  /// Trusts the stream to send no more than one element.
  @inlinable
  package init(trusting stream: EventStream<Element, Failure>) {
    self.stream = stream
  }

  /// Makes a maybe from what it does when it is observed. The result is given once, now or later,
  /// nil where there is no element; a second one is ignored.
  public init(
    _ work: @escaping (_ finish: @escaping (Result<Element?, Failure>) -> Void) -> Disposable
  ) {
    stream = EventStream { observer in
      var isFinished = false
      return work { result in
        // Also within the closure that is told the first one.
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

  /// A maybe of a given element, or of none.
  public static func just(_ element: Element?) -> Maybe {
    Maybe(trusting: element.map { .just($0) } ?? .completed)
  }

  /// A maybe that fails.
  public static func failed(_ error: Failure) -> Maybe {
    Maybe(trusting: .failed(error))
  }

  /// A maybe of the first element of a stream, which is torn down when it has come.
  ///
  ///     Maybe(firstOf: lines).observe(succeeded: { line in show(line ?? "nothing") })
  public init(firstOf stream: EventStream<Element, Failure>) {
    self.init(trusting: stream.take(1))
  }

  /// Does the work, and tells what came of it: the element, or nil where there is none.
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

  /// Does the work and waits for the element; nil if there is none, or the task is cancelled before.
  ///
  ///     if let line = await Maybe(firstOf: lines).value() { show(line) }
  ///
  /// *Disposal*: cancelling the task disposes the work.
  public func value(
    isolation: isolated (any Actor)? = #isolation
  ) async throws(Failure) -> Element? {
    try await stream.first(isolation: isolation)
  }

  /// Transforms the element, if there is one.
  public func map<Output>(
    _ transform: @escaping (Element) throws(Failure) -> Output
  ) -> Maybe<Output, Failure> {
    Maybe<Output, Failure>(trusting: stream.map(transform))
  }

  /// Keeps the element if it satisfies a condition.
  public func filter(_ isIncluded: @escaping (Element) throws(Failure) -> Bool) -> Maybe {
    Maybe(trusting: stream.filter(isIncluded))
  }

  /// Goes on with another maybe that is made of the element, if there is one.
  public func flatMap<Output>(
    _ transform: @escaping (Element) throws(Failure) -> Maybe<Output, Failure>
  ) -> Maybe<Output, Failure> {
    Maybe<Output, Failure>(
      trusting: stream.flatMap { element throws(Failure) in try transform(element).stream })
  }

  /// Goes on with another maybe when this one fails.
  public func `catch`(_ handler: @escaping (Failure) -> Maybe) -> Maybe {
    Maybe(trusting: stream.catch { handler($0).stream })
  }

  /// A single: the element, or the given one where there is none.
  public func ifEmpty(default element: Element) -> Single<Element, Failure> {
    Single(trusting: stream.ifEmpty(default: element))
  }

  /// A single: the element, or the other single where there is none.
  public func ifEmpty(switchTo other: Single<Element, Failure>) -> Single<Element, Failure> {
    Single(trusting: stream.ifEmpty(switchTo: other.stream))
  }

  /// A completable that ignores the element and reports only completion or failure.
  ///
  ///     await lines.first { $0.isEmpty }.asCompletable().completion()
  public func asCompletable() -> Completable<Failure> {
    Completable(stream.ignoreElements())
  }
}
