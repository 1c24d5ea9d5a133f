extension Single {
  /// Returns the maybe that the closure creates from the element.
  ///
  ///     login("Jim").flatMapMaybe { user in posts(of: user).filter { !$0.isEmpty } }
  ///       .observe(succeeded: { show($0 ?? []) })
  @inlinable
  public func flatMapMaybe<Output>(
    _ transform: @escaping (Element) throws(Failure) -> Maybe<Output, Failure>
  ) -> Maybe<Output, Failure> {
    asMaybe().flatMap(transform)
  }

  /// Starts the operation that the closure creates from the element.
  ///
  ///     login("Jim").flatMapCompletable { user in posts(of: user).asCompletable() }
  ///       .observe(completed: { show("loaded") })
  @inlinable
  public func flatMapCompletable(
    _ transform: @escaping (Element) throws(Failure) -> Completable<Failure>
  ) -> Completable<Failure> {
    asMaybe().flatMapCompletable(transform)
  }

  /// Transforms the element, or drops it where the closure returns nil.
  @inlinable
  public func compactMap<Output>(
    _ transform: @escaping (Element) throws(Failure) -> Output?
  ) -> Maybe<Output, Failure> {
    Maybe<Output, Failure>(trusting: stream.compactMap(transform))
  }

  /// Calls closures at events of the operation, without changing them.
  ///
  /// *Events*: as for the `do` of a stream.
  @inlinable
  public func `do`(
    observed: (() -> Void)? = nil,
    succeeded: ((Element) throws(Failure) -> Void)? = nil,
    failed: ((Failure) -> Void)? = nil,
    disposed: (() -> Void)? = nil
  ) -> Single {
    Single(
      trusting: stream.do(observed: observed, next: succeeded, failed: failed, disposed: disposed))
  }

  /// Delivers the element later. A failure is delivered at once.
  ///
  /// *Timing*: uses the given scheduler, or by default ``Current/scheduler``.
  @inlinable
  public func delay(for delay: Duration, on scheduler: (any Scheduler)? = nil) -> Single {
    Single(trusting: stream.delay(for: delay, on: scheduler))
  }

  /// Prints each event of the operation, for debugging.
  public func debug(
    _ name: String? = nil, file: StaticString = #fileID, line: UInt = #line,
    print: @escaping (String) -> Void = { Swift.print($0) }
  ) -> Single {
    Single(trusting: stream.debug(name, file: file, line: line, print: print))
  }

  /// Creates a single that owns a resource while it is observed.
  ///
  /// *Disposal*: the operation is disposed before the resource.
  public static func using<Resource>(
    _ acquire: @escaping () throws(Failure) -> Resource,
    dispose: @escaping (Resource) -> Void,
    single: @escaping (Resource) throws(Failure) -> Single
  ) -> Single {
    Single(
      trusting: .using(acquire, dispose: dispose) { resource throws(Failure) in
        try single(resource).stream
      })
  }

  /// Returns the single as a maybe that always has an element.
  @inlinable
  public func asMaybe() -> Maybe<Element, Failure> {
    Maybe(trusting: stream)
  }

  /// Returns a completable that ignores the element and reports only completion or failure.
  ///
  ///     login("Jim").asCompletable().observe(completed: { print("logged in") })
  @inlinable
  public func asCompletable() -> Completable<Failure> {
    Completable(stream.ignoreElements())
  }
}
