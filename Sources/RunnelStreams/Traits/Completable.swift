/// Work that has no element, only an end: it completes or fails.
///
///     save(note).andThen(close(note)).observe(completed: { print("saved") })
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

  /// Does other work after this.
  public func andThen(_ next: Completable) -> Completable {
    Completable(stream.append(next.stream))
  }

  /// Observes a stream after this work.
  ///
  ///     open(file).andThen(lines(of: file)).observeNext { print($0) }
  public func andThen<Element>(
    _ next: EventStream<Element, Failure>
  ) -> EventStream<Element, Failure> {
    stream.ignoreElements(as: Element.self).append(next)
  }

  /// Does several works at the same time, and completes when all have.
  public static func merge(_ works: Completable...) -> Completable {
    Completable(.merge(works.map(\.stream)))
  }

  /// Goes on with other work when this fails.
  public func `catch`(_ handler: @escaping (Failure) -> Completable) -> Completable {
    Completable(stream.catch { handler($0).stream })
  }
}
