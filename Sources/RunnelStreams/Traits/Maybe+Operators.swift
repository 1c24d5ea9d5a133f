extension Maybe {
  /// Creates a maybe when it is observed, once for each observation.
  @inlinable
  public static func deferred(_ make: @escaping () throws(Failure) -> Maybe) -> Maybe {
    Maybe(trusting: .deferred { () throws(Failure) in try make().stream })
  }

  /// Runs operations at the same time and combines their elements. It has no element if one of them
  /// has none.
  ///
  ///     Maybe.zip(numbers.first { $0 > 9 }, names.first { $0.hasPrefix("J") })
  ///       .observe(succeeded: { show($0) })
  ///
  /// *Events*: the first failure, or the first completion without an element, ends it and disposes
  /// the other operations.
  @inlinable
  public static func zip<First, Second, each Other>(
    _ first: Maybe<First, Failure>, _ second: Maybe<Second, Failure>,
    _ others: repeat Maybe<each Other, Failure>
  ) -> Maybe where Element == (First, Second, repeat each Other) {
    Maybe(trusting: .zip(first.stream, second.stream, repeat (each others).stream))
  }

  /// Transforms the element, or drops it where the closure returns nil.
  @inlinable
  public func compactMap<Output>(
    _ transform: @escaping (Element) throws(Failure) -> Output?
  ) -> Maybe<Output, Failure> {
    Maybe<Output, Failure>(trusting: stream.compactMap(transform))
  }

  /// Starts the operation that the closure creates from the element. Without an element it
  /// completes.
  @inlinable
  public func flatMapCompletable(
    _ transform: @escaping (Element) throws(Failure) -> Completable<Failure>
  ) -> Completable<Failure> {
    Completable(stream.flatMap { element throws(Failure) in try transform(element).stream })
  }

  /// Starts another maybe if this one has no element.
  @inlinable
  public func ifEmpty(switchTo other: Maybe) -> Maybe {
    Maybe(trusting: stream.ifEmpty(switchTo: other.stream))
  }

  /// Starts the operation again each time it fails, up to `attempts` attempts in total. Fewer than
  /// 1 traps.
  @inlinable
  public func retry(_ attempts: Int) -> Maybe {
    Maybe(trusting: stream.retry(attempts))
  }

  /// Returns the given element instead of a failure. The result cannot fail.
  @inlinable
  public func recover(with element: Element) -> Maybe<Element, Never> {
    Maybe<Element, Never>(trusting: stream.recover(with: element))
  }

  /// Returns a completable that ignores the element and reports only completion or failure.
  ///
  ///     await lines.first { $0.isEmpty }.asCompletable().completion()
  @inlinable
  public func asCompletable() -> Completable<Failure> {
    Completable(stream.ignoreElements())
  }
}
