/// An operation without a result: it completes or fails.
///
///     saving.andThen(closing).observe(completed: { print("saved") })
///
/// To ignore the elements of any stream, write `Completable(upload.ignoreElements())`. Use `stream`
/// for operators that `Completable` does not declare itself.
public struct Completable<Failure: Error>: StreamConvertible {
  /// The operation as a stream without elements.
  public let stream: EventStream<Never, Failure>

  /// Creates a completable from a stream without elements.
  @inlinable
  public init(_ stream: EventStream<Never, Failure>) {
    self.stream = stream
  }

  /// Creates a completable from a closure that starts the operation when it is observed. The
  /// closure calls `finish` once, at once or later. Further calls are ignored.
  @inlinable
  public init(
    _ work: @escaping (_ finish: @escaping (Termination<Failure>) -> Void) -> Disposable
  ) {
    stream = EventStream { observer in work { observer.end($0) } }
  }

  /// A completable that completes at once.
  @inlinable
  public static var completed: Completable { Completable(.completed) }

  /// Returns a completable that fails at once.
  @inlinable
  public static func failed(_ error: Failure) -> Completable {
    Completable(.failed(error))
  }

  /// Starts the operation and calls one of the closures when it ends.
  @discardableResult
  public func observe(
    file: StaticString = #fileID, line: UInt = #line,
    completed: @escaping () -> Void = {},
    failed: ((Failure) -> Void)? = nil
  ) -> Disposable {
    stream.observe(file: file, line: line, failed: failed, completed: completed)
  }

  /// Starts the operation and waits until it completes.
  ///
  ///     try await saving.completion()
  ///
  /// *Disposal*: cancelling the task disposes the operation, and this method returns. Check
  /// `Task.isCancelled` to distinguish cancellation from completion.
  public func completion(isolation: isolated (any Actor)? = #isolation) async throws(Failure) {
    _ = try await stream.first(isolation: isolation)
  }

  /// Starts another operation when this one has completed.
  @inlinable
  public func andThen(_ next: Completable) -> Completable {
    Completable(stream.append(next.stream))
  }

  /// Observes a stream when this operation has completed.
  ///
  ///     saving.andThen(api.load()).observe(next: { show($0) })
  @inlinable
  public func andThen<Element>(
    _ next: EventStream<Element, Failure>
  ) -> EventStream<Element, Failure> {
    stream.ignoreElements(as: Element.self).append(next)
  }

  /// Observes a single when this operation has completed.
  ///
  ///     saving.andThen(login("Jim")).observe(succeeded: { show($0) })
  @inlinable
  public func andThen<Element>(_ next: Single<Element, Failure>) -> Single<Element, Failure> {
    Single(trusting: andThen(next.stream))
  }

  /// Observes a maybe when this operation has completed.
  @inlinable
  public func andThen<Element>(_ next: Maybe<Element, Failure>) -> Maybe<Element, Failure> {
    Maybe(trusting: andThen(next.stream))
  }

  /// Runs several operations at the same time, and completes when all have completed.
  ///
  /// *Events*: the first failure ends it and disposes the other operations.
  @inlinable
  public static func merge(_ works: Completable...) -> Completable {
    merge(works)
  }

  /// Runs the operations of a collection at the same time, and completes when all have completed.
  ///
  ///     Completable.merge([saving, closing]).observe(completed: { print("all done") })
  ///
  /// *Events*: the first failure ends it and disposes the other operations.
  @inlinable
  public static func merge(_ works: some Collection<Completable>) -> Completable {
    Completable(.merge(works.map(\.stream)))
  }

  /// Starts another operation when this one fails.
  @inlinable
  public func `catch`(_ handler: @escaping (Failure) -> Completable) -> Completable {
    Completable(stream.catch { handler($0).stream })
  }

  /// Starts the operation again each time it fails, up to `attempts` attempts in total. Fewer than
  /// 1 traps.
  @inlinable
  public func retry(_ attempts: Int) -> Completable {
    Completable(stream.retry(attempts))
  }
}
