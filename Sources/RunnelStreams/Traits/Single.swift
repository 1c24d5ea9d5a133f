/// Exactly one element, or a failure: a request, a file read, a computation.
///
///     let user = Single<User, LoadError> { finish in
///       let request = api.loadUser { finish($0) }
///       return Disposable { request.cancel() }
///     }
///     user.observe(succeeded: { show($0) }, failed: { print($0) })
///
/// Use `stream` for all that a single has no operator of its own for, and ``init(_:otherwise:)`` to
/// come back from it. A completable that follows is
/// `Completable(user.stream.flatMap { save($0).stream })`.
public struct Single<Element, Failure: Error>: StreamConvertible {
  /// The single as a stream: one element and completion, or a failure.
  public let stream: EventStream<Element, Failure>

  /// Trusts the stream to send one element before it completes, or to fail.
  @inlinable
  package init(trusting stream: EventStream<Element, Failure>) {
    self.stream = stream
  }

  /// Makes a single from what it does when it is observed. The result is given once, now or later;
  /// a second one is ignored.
  public init(
    _ work: @escaping (_ finish: @escaping (Result<Element, Failure>) -> Void) -> Disposable
  ) {
    stream = EventStream { observer in
      var isFinished = false
      return work { result in
        // Also within the closure that is told the first one.
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

  /// A single of the only element of a stream, which fails if there is none, or more than one.
  ///
  ///     Single(api.loadUser(), otherwise: LoadError.wrongCount).observe(succeeded: { show($0) })
  ///
  /// *Events*: as ``StreamProtocol/single(otherwise:)``. The first element of several:
  /// ``Maybe/init(firstOf:)``.
  public init(
    _ stream: EventStream<Element, Failure>,
    otherwise failure: @escaping (ElementCountError) -> Failure
  ) {
    self = stream.single(otherwise: failure)
  }

  /// A single that is made anew for each observation.
  ///
  ///     let roll = Single<Int, Never>.deferred { .just(.random(in: 1...6)) }
  ///     roll.observe(succeeded: { print($0) })
  ///
  /// *Events*: an error thrown by the closure fails the single.
  public static func deferred(_ make: @escaping () throws(Failure) -> Single) -> Single {
    Single(trusting: .deferred { () throws(Failure) in try make().stream })
  }

  /// Does the works at the same time, and sends what they made when all are done.
  ///
  ///     Single.zip(login("Jim"), login("Ann")).observe(succeeded: { jim, ann in show(jim, ann) })
  ///
  /// *Events*: the first failure ends it and disposes the others.
  public static func zip<First, Second, each Other>(
    _ first: Single<First, Failure>, _ second: Single<Second, Failure>,
    _ others: repeat Single<each Other, Failure>
  ) -> Single where Element == (First, Second, repeat each Other) {
    Single(trusting: .zip(first.stream, second.stream, repeat (each others).stream))
  }

  /// Does the works of a collection at the same time, and sends what they made, in the order of the
  /// collection, when all are done.
  ///
  ///     Single.zip(["Jim", "Ann"].map(login)).observe(succeeded: { users in show(users) })
  ///
  /// *Events*: the first failure ends it and disposes the others. With no works it sends `[]`.
  public static func zip<Part>(
    _ singles: some Collection<Single<Part, Failure>>
  ) -> Single where Element == [Part] {
    // What sends once each is combined once; and zip would send nothing for an empty collection.
    Single(trusting: .combineLatest(singles.map(\.stream)))
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

  /// Does the work and waits for the element; nil if the task is cancelled before that.
  ///
  ///     if let user = try await login("Jim").value() { show(user) }
  ///
  /// *Disposal*: cancelling the task disposes the work.
  public func value(
    isolation: isolated (any Actor)? = #isolation
  ) async throws(Failure) -> Element? {
    try await stream.first(isolation: isolation)
  }

  /// Transforms the element.
  public func map<Output>(
    _ transform: @escaping (Element) throws(Failure) -> Output
  ) -> Single<Output, Failure> {
    Single<Output, Failure>(trusting: stream.map(transform))
  }

  /// Keeps the element if it satisfies a condition.
  public func filter(
    _ isIncluded: @escaping (Element) throws(Failure) -> Bool
  ) -> Maybe<Element, Failure> {
    Maybe(trusting: stream.filter(isIncluded))
  }

  /// Goes on with another single that is made of the element.
  ///
  ///     login("Jim").flatMap { user in posts(of: user) }.observe(succeeded: { show($0) })
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

  /// Tries again when it fails, up to a number of attempts in all; fewer than one traps.
  public func retry(_ attempts: Int) -> Single {
    Single(trusting: stream.retry(attempts))
  }

  /// Gives an element in place of a failure: the result cannot fail.
  public func recover(with element: Element) -> Single<Element, Never> {
    Single<Element, Never>(trusting: stream.recover(with: element))
  }

  /// Transforms the error that the single fails with.
  public func mapFailure<NewFailure: Error>(
    to type: NewFailure.Type = NewFailure.self,
    _ transform: @escaping (Failure) -> NewFailure
  ) -> Single<Element, NewFailure> {
    Single<Element, NewFailure>(trusting: stream.mapFailure(transform))
  }

  /// Fails when the work takes too long.
  ///
  ///     login("Jim").timeout(after: .seconds(5), failingWith: .timedOut).observe()
  ///
  /// *Timing*: on the given scheduler, else that of the current loop. A limit that is negative
  /// counts as none.
  public func timeout(
    after limit: Duration, failingWith error: @autoclosure @escaping () -> Failure,
    on scheduler: (any Scheduler)? = nil
  ) -> Single {
    Single(trusting: stream.timeout(after: limit, failingWith: error(), on: scheduler))
  }

  /// A completable that ignores the element and reports only completion or failure.
  ///
  ///     login("Jim").asCompletable().observe(completed: { print("logged in") })
  public func asCompletable() -> Completable<Failure> {
    Completable(stream.ignoreElements())
  }
}

extension Single where Failure == ElementCountError {
  /// A single of the only element of a stream that cannot fail: it fails if there is none, or more
  /// than one.
  ///
  ///     Single(lines).observe(succeeded: { show($0) }, failed: { _ in show("not one line") })
  public init(_ stream: some StreamConvertible<Element, Never>) {
    self = stream.stream.single()
  }
}

extension Single where Element: Sendable {
  /// A single of what an async closure returns.
  ///
  ///     Single.task { try await api.page(7) }.observe(succeeded: { show($0) })
  ///
  /// *Events*, *Disposal*: as ``EventStream/task(priority:isolation:_:)``.
  public static func task(
    priority: TaskPriority? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ work: @escaping @Sendable () async throws(Failure) -> Element
  ) -> Single {
    Single(trusting: .task(priority: priority, isolation: isolation, work))
  }
}
