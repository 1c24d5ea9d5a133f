extension Completable {
  /// Creates an operation when it is observed, once for each observation.
  @inlinable
  public static func deferred(_ make: @escaping () throws(Failure) -> Completable) -> Completable {
    Completable(.deferred { () throws(Failure) in try make().stream })
  }

  /// Runs operations one after the other.
  ///
  ///     Completable.concat(saving, closing).observe(completed: { print("all done") })
  ///
  /// *Events*: the first failure ends it, and the operations after it do not start.
  @inlinable
  public static func concat(_ operations: Completable...) -> Completable {
    Completable(.concat(operations.map(\.stream)))
  }

  /// Runs the operations of a sequence one after the other. The sequence may be infinite. Recursion
  /// through its last operation uses stack, unlike in the form with a list of operations.
  @inlinable
  public static func concat(_ operations: some Sequence<Completable>) -> Completable {
    Completable(.concat(operations.lazy.map(\.stream)))
  }

  /// Calls closures at events of the operation, without changing them.
  ///
  /// *Events*: as for the `do` of a stream.
  @inlinable
  public func `do`(
    observed: (() -> Void)? = nil,
    failed: ((Failure) -> Void)? = nil,
    completed: (() -> Void)? = nil,
    disposed: (() -> Void)? = nil
  ) -> Completable {
    Completable(
      stream.do(observed: observed, failed: failed, completed: completed, disposed: disposed))
  }

  /// Completes instead of failing. The result cannot fail.
  ///
  ///     saving.recover().observe(completed: { print("saved, or not") })
  @inlinable
  public func recover() -> Completable<Never> {
    Completable<Never>(stream.flatMapFailure(to: Never.self) { _ in .completed })
  }

  /// Fails if the operation takes longer than a limit.
  ///
  /// *Timing*: uses the given scheduler, or by default ``Current/scheduler``. A negative limit
  /// counts as zero.
  @inlinable
  public func timeout(
    after limit: Duration, failingWith error: @autoclosure @escaping () -> Failure,
    on scheduler: (any Scheduler)? = nil
  ) -> Completable {
    Completable(stream.timeout(after: limit, failingWith: error(), on: scheduler))
  }
}
