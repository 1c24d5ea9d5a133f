/// Exactly one element, or a failure: a request, a file read, a computation.
///
///     let user = Single<User, APIError> { finish in
///       let request = api.load { finish($0) }
///       return Disposable { request.cancel() }
///     }
///     user.observe(succeeded: { show($0) }, failed: { report($0) })
///
/// Use `stream` for all that a single has no operator of its own for.
public struct Single<Element, Failure: Error>: StreamConvertible {
  /// The single as a stream: one element and completion, or a failure.
  public let stream: EventStream<Element, Failure>

  /// Trusts the stream to send one element before it completes, or to fail.
  init(trusting stream: EventStream<Element, Failure>) {
    self.stream = stream
  }

  /// Makes a single from what it does when it is observed. The result is given once, now or later;
  /// a second one is ignored.
  public init(
    _ work: @escaping (_ finish: @escaping (Result<Element, Failure>) -> Void) -> Disposable
  ) {
    stream = EventStream { observer in
      work { result in
        switch result {
        case .success(let element):
          observer.next(element)
          observer.completed()
        case .failure(let error): observer.failed(error)
        }
      }
    }
  }

  /// A single of a given element.
  public static func just(_ element: Element) -> Single {
    Single(trusting: .just(element))
  }

  /// A single that fails.
  public static func failed(_ error: Failure) -> Single {
    Single(trusting: .failed(error))
  }

  /// A single of a result.
  public init(_ result: Result<Element, Failure>) {
    switch result {
    case .success(let element): self = .just(element)
    case .failure(let error): self = .failed(error)
    }
  }

  /// Does the work, and tells what came of it.
  @discardableResult
  public func observe(
    file: StaticString = #fileID, line: UInt = #line,
    succeeded: @escaping (Element) -> Void = { _ in },
    failed: ((Failure) -> Void)? = nil
  ) -> Disposable {
    stream.observe(file: file, line: line, next: succeeded, failed: failed)
  }

  /// Transforms the element.
  public func map<Output>(
    _ transform: @escaping (Element) throws(Failure) -> Output
  ) -> Single<Output, Failure> {
    Single<Output, Failure>(trusting: stream.map(transform))
  }

  /// Goes on with another single that is made of the element.
  ///
  ///     login(name).flatMap { user in posts(of: user) }
  public func flatMap<Output>(
    _ transform: @escaping (Element) throws(Failure) -> Single<Output, Failure>
  ) -> Single<Output, Failure> {
    Single<Output, Failure>(
      trusting: stream.flatMap { element throws(Failure) in try transform(element).stream })
  }

  /// Goes on with another single when this one fails.
  public func `catch`(_ handler: @escaping (Failure) -> Single) -> Single {
    Single(trusting: stream.catch { handler($0).stream })
  }

  /// Tries again when it fails, so often in all.
  public func retry(_ attempts: Int) -> Single {
    Single(trusting: stream.retry(attempts))
  }
}
