/// One element, or none, or a failure: a look-up, a cache.
///
///     let cached = Maybe<Image, Never> { finish in
///       finish(.success(cache[key]))
///       return .none
///     }
///     cached.observe(succeeded: { image in show(image ?? placeholder) })
public struct Maybe<Element, Failure: Error>: StreamConvertible {
  /// The maybe as a stream: at most one element and completion, or a failure.
  public let stream: EventStream<Element, Failure>

  /// Trusts the stream to send no more than one element.
  init(trusting stream: EventStream<Element, Failure>) {
    self.stream = stream
  }

  /// Makes a maybe from what it does when it is observed. The result is given once, now or later,
  /// nil where there is no element; a second one is ignored.
  public init(
    _ work: @escaping (_ finish: @escaping (Result<Element?, Failure>) -> Void) -> Disposable
  ) {
    stream = EventStream { observer in
      work { result in
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

  /// Transforms the element, if there is one.
  public func map<Output>(
    _ transform: @escaping (Element) throws(Failure) -> Output
  ) -> Maybe<Output, Failure> {
    Maybe<Output, Failure>(trusting: stream.map(transform))
  }

  /// Goes on with another maybe that is made of the element, if there is one.
  public func flatMap<Output>(
    _ transform: @escaping (Element) throws(Failure) -> Maybe<Output, Failure>
  ) -> Maybe<Output, Failure> {
    Maybe<Output, Failure>(
      trusting: stream.flatMap { element throws(Failure) in try transform(element).stream })
  }

  /// A single: the element, or the given one where there is none.
  public func ifEmpty(default element: Element) -> Single<Element, Failure> {
    Single(trusting: stream.ifEmpty(default: element))
  }

  /// A single: the element, or the other single where there is none.
  public func ifEmpty(switchTo other: Single<Element, Failure>) -> Single<Element, Failure> {
    Single(trusting: stream.ifEmpty(switchTo: other.stream))
  }
}
