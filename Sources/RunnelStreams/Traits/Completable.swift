/// Work that has no element, only an end: it completes or fails.
///
///     saving.andThen(closing).observe(completed: { print("saved") })
///
/// Any stream is one when its elements do not matter: `Completable(upload.ignoreElements())`. Use
/// `stream` for all that a completable has no operator of its own for.
public struct Completable<Failure: Error>: StreamConvertible {
  /// The work as a stream that has no elements.
  public let stream: EventStream<Never, Failure>

  /// The end of a stream without elements.
  public init(_ stream: EventStream<Never, Failure>) {
    self.stream = stream
  }

  /// Makes a completable from what it does when it is observed. The end is given once, now or
  /// later; a second one is ignored.
  public init(
    _ work: @escaping (_ finish: @escaping (Termination<Failure>) -> Void) -> Disposable
  ) {
    stream = EventStream { observer in work { observer.end($0) } }
  }

  /// Work that is done already.
  public static var completed: Completable { Completable(.completed) }

  /// Work that fails.
  public static func failed(_ error: Failure) -> Completable {
    Completable(.failed(error))
  }

  /// Does the work, and tells how it ended.
  @discardableResult
  public func observe(
    file: StaticString = #fileID, line: UInt = #line,
    completed: @escaping () -> Void = {},
    failed: ((Failure) -> Void)? = nil
  ) -> Disposable {
    stream.observe(file: file, line: line, failed: failed, completed: completed)
  }

  /// Does the work and waits for its completion.
  ///
  ///     try await saving.completion()
  ///
  /// *Disposal*: cancelling the task disposes the work and ends the wait; `Task.isCancelled` tells
  /// that from completion.
  public func completion(isolation: isolated (any Actor)? = #isolation) async throws(Failure) {
    _ = try await stream.first(isolation: isolation)
  }

  /// Does other work after this.
  public func andThen(_ next: Completable) -> Completable {
    Completable(stream.append(next.stream))
  }

  /// Observes a stream after this work.
  ///
  ///     saving.andThen(api.load()).observe(next: { show($0) })
  public func andThen<Element>(
    _ next: EventStream<Element, Failure>
  ) -> EventStream<Element, Failure> {
    stream.ignoreElements(as: Element.self).append(next)
  }

  /// Goes on with a single after this work.
  ///
  ///     saving.andThen(login("Jim")).observe(succeeded: { show($0) })
  public func andThen<Element>(_ next: Single<Element, Failure>) -> Single<Element, Failure> {
    Single(trusting: andThen(next.stream))
  }

  /// Goes on with a maybe after this work.
  public func andThen<Element>(_ next: Maybe<Element, Failure>) -> Maybe<Element, Failure> {
    Maybe(trusting: andThen(next.stream))
  }

  /// Does several works at the same time, and completes when all have.
  ///
  /// *Events*: the first failure ends it and disposes the others.
  public static func merge(_ works: Completable...) -> Completable {
    merge(works)
  }

  /// Does the works of a collection at the same time, and completes when all have.
  ///
  ///     Completable.merge([saving, closing]).observe(completed: { print("all done") })
  ///
  /// *Events*: the first failure ends it and disposes the others.
  public static func merge(_ works: some Collection<Completable>) -> Completable {
    Completable(.merge(works.map(\.stream)))
  }

  /// Goes on with other work when this fails.
  public func `catch`(_ handler: @escaping (Failure) -> Completable) -> Completable {
    Completable(stream.catch { handler($0).stream })
  }

  /// Tries again when it fails, until so many attempts were made in all; fewer than one traps.
  public func retry(_ attempts: Int) -> Completable {
    Completable(stream.retry(attempts))
  }
}
