/// An operation that sends exactly one element or fails: for example a request or a file read.
///
///     let user = Single<User, LoadError> { finish in
///       let request = api.loadUser { finish($0) }
///       return Disposable { request.cancel() }
///     }
///     user.observe(succeeded: { show($0) }, failed: { print($0) })
///
/// Use `stream` for operators that `Single` does not declare itself, and ``init(_:otherwise:)`` to
/// convert the result back to a single. To continue with a completable, write
/// `Completable(user.stream.flatMap { save($0).stream })`.
public struct Single<Element, Failure: Error>: StreamConvertible {
  /// The single as a stream, which sends one element and completes, or fails.
  public let stream: EventStream<Element, Failure>

  /// Creates a single from a stream without checks. The stream must send exactly one element before
  /// it completes, or fail.
  @inlinable
  package init(trusting stream: EventStream<Element, Failure>) {
    self.stream = stream
  }

  /// Creates a single from a closure that starts the operation when it is observed. The closure
  /// calls `finish` once, at once or later. Further calls are ignored.
  @inlinable
  public init(
    _ work: @escaping (_ finish: @escaping (Result<Element, Failure>) -> Void) -> Disposable
  ) {
    stream = EventStream { observer in
      var isFinished = false
      return work { result in
        // Also ignores a call made while the first result is delivered.
        guard !isFinished else { return }
        isFinished = true
        switch result {
        case .success(let element):
          observer.next(element)
          observer.completed()
        case .failure(let error): observer.failed(error)
        }
      }
    }
  }

  /// Returns a single that sends the given element.
  @inlinable
  public static func just(_ element: Element) -> Single {
    Single(trusting: .just(element))
  }

  /// Returns a single that fails at once.
  @inlinable
  public static func failed(_ error: Failure) -> Single {
    Single(trusting: .failed(error))
  }

  /// Creates a single that sends the value of a result, or fails with its error.
  @inlinable
  public init(_ result: Result<Element, Failure>) {
    switch result {
    case .success(let element): self = .just(element)
    case .failure(let error): self = .failed(error)
    }
  }

  /// Creates a single from the only element of a stream. It fails if the stream has no element or
  /// more than one.
  ///
  ///     Single(api.loadUser(), otherwise: LoadError.wrongCount).observe(succeeded: { show($0) })
  ///
  /// *Events*: as for ``StreamProtocol/single(otherwise:)``. To use the first of several elements,
  /// see ``Maybe/init(firstOf:)``.
  @inlinable
  public init(
    _ stream: EventStream<Element, Failure>,
    otherwise failure: @escaping (ElementCountError) -> Failure
  ) {
    self = stream.single(otherwise: failure)
  }

  /// Returns a single that calls a closure to create a new single for each observation.
  ///
  ///     let roll = Single<Int, Never>.deferred { .just(.random(in: 1...6)) }
  ///     roll.observe(succeeded: { print($0) })
  ///
  /// *Events*: an error thrown by the closure fails the single.
  @inlinable
  public static func deferred(_ make: @escaping () throws(Failure) -> Single) -> Single {
    Single(trusting: .deferred { () throws(Failure) in try make().stream })
  }

  /// Runs operations at the same time, and sends their elements as a tuple when all have succeeded.
  ///
  ///     Single.zip(login("Jim"), login("Ann")).observe(succeeded: { jim, ann in show(jim, ann) })
  ///
  /// *Events*: the first failure ends it and disposes the other operations.
  @inlinable
  public static func zip<First, Second, each Other>(
    _ first: Single<First, Failure>, _ second: Single<Second, Failure>,
    _ others: repeat Single<each Other, Failure>
  ) -> Single where Element == (First, Second, repeat each Other) {
    Single(trusting: .zip(first.stream, second.stream, repeat (each others).stream))
  }

  /// Runs the operations of a collection at the same time. Sends their elements as an array, in the
  /// order of the collection, when all have succeeded.
  ///
  ///     Single.zip(["Jim", "Ann"].map(login)).observe(succeeded: { users in show(users) })
  ///
  /// *Events*: the first failure ends it and disposes the other operations. An empty collection
  /// sends `[]`.
  @inlinable
  public static func zip<Part>(
    _ singles: some Collection<Single<Part, Failure>>
  ) -> Single where Element == [Part] {
    // For singles, `combineLatest` sends the same as `zip`, except that it sends `[]` for an empty
    // collection.
    Single(trusting: .combineLatest(singles.map(\.stream)))
  }

  /// Starts the operation and calls one of the closures when it ends.
  @discardableResult
  public func observe(
    file: StaticString = #fileID, line: UInt = #line,
    succeeded: @escaping (Element) -> Void = { _ in },
    failed: ((Failure) -> Void)? = nil
  ) -> Disposable {
    stream.observe(file: file, line: line, next: succeeded, failed: failed)
  }

  /// Starts the operation and waits for its element. Returns nil if the task is cancelled first.
  ///
  ///     if let user = try await login("Jim").value() { show(user) }
  ///
  /// *Disposal*: cancelling the task disposes the operation.
  public func value(
    isolation: isolated (any Actor)? = #isolation
  ) async throws(Failure) -> Element? {
    try await stream.first(isolation: isolation)
  }

  /// Transforms the element.
  @inlinable
  public func map<Output>(
    _ transform: @escaping (Element) throws(Failure) -> Output
  ) -> Single<Output, Failure> {
    Single<Output, Failure>(trusting: stream.map(transform))
  }

  /// Returns a maybe of the element if it satisfies a condition, and an empty one otherwise.
  @inlinable
  public func filter(
    _ isIncluded: @escaping (Element) throws(Failure) -> Bool
  ) -> Maybe<Element, Failure> {
    Maybe(trusting: stream.filter(isIncluded))
  }

  /// Continues with another single that the closure creates from the element.
  ///
  ///     login("Jim").flatMap { user in posts(of: user) }.observe(succeeded: { show($0) })
  @inlinable
  public func flatMap<Output>(
    _ transform: @escaping (Element) throws(Failure) -> Single<Output, Failure>
  ) -> Single<Output, Failure> {
    Single<Output, Failure>(
      trusting: stream.flatMap { element throws(Failure) in try transform(element).stream })
  }

  /// Continues with another single when this one fails.
  @inlinable
  public func `catch`(_ handler: @escaping (Failure) -> Single) -> Single {
    Single(trusting: stream.catch { handler($0).stream })
  }

  /// Starts the operation again each time it fails, up to `attempts` attempts in total. Fewer than
  /// 1 traps.
  @inlinable
  public func retry(_ attempts: Int) -> Single {
    Single(trusting: stream.retry(attempts))
  }

  /// Sends the given element instead of a failure, so that the result cannot fail.
  @inlinable
  public func recover(with element: Element) -> Single<Element, Never> {
    Single<Element, Never>(trusting: stream.recover(with: element))
  }

  /// Transforms the error of a failure.
  @inlinable
  public func mapFailure<NewFailure: Error>(
    to type: NewFailure.Type = NewFailure.self,
    _ transform: @escaping (Failure) -> NewFailure
  ) -> Single<Element, NewFailure> {
    Single<Element, NewFailure>(trusting: stream.mapFailure(transform))
  }

  /// Fails if the operation does not end within a time limit.
  ///
  ///     login("Jim").timeout(after: .seconds(5), failingWith: .timedOut).observe()
  ///
  /// *Timing*: uses the given scheduler, or by default ``Current/scheduler``. A negative limit
  /// counts as zero.
  @inlinable
  public func timeout(
    after limit: Duration, failingWith error: @autoclosure @escaping () -> Failure,
    on scheduler: (any Scheduler)? = nil
  ) -> Single {
    Single(trusting: stream.timeout(after: limit, failingWith: error(), on: scheduler))
  }
}

extension Single where Failure == ElementCountError {
  /// Creates a single from the only element of a stream that cannot fail. The single fails if the
  /// stream has no element or more than one.
  ///
  ///     Single(lines).observe(succeeded: { show($0) }, failed: { _ in show("not one line") })
  @inlinable
  public init(_ stream: some StreamConvertible<Element, Never>) {
    self = stream.stream.single()
  }
}

extension Single where Element: Sendable {
  /// Returns a single of the result of an async closure.
  ///
  ///     Single.task { try await api.page(7) }.observe(succeeded: { show($0) })
  ///
  /// *Events*, *Disposal*: as for ``EventStream/task(priority:isolation:_:)``.
  public static func task(
    priority: TaskPriority? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ work: @escaping @Sendable () async throws(Failure) -> Element
  ) -> Single {
    Single(trusting: .task(priority: priority, isolation: isolation, work))
  }
}
