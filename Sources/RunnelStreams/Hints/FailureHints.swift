// Hints for operators that handle failures, which other libraries call errors. See
// `Unavailable.swift`.

extension StreamProtocol {
  /// RxSwift's earlier form of ``catch(_:)``.
  @available(*, unavailable, renamed: "catch(_:)")
  public func catchError(
    _ fallback: @escaping (Failure) -> EventStream<Element, Failure>
  ) -> EventStream<Element, Failure> { unavailable() }

  /// RxSwift's earlier form of `recover(with:)`.
  @available(*, unavailable, renamed: "recover(with:)")
  public func catchErrorJustReturn(_ element: Element) -> EventStream<Element, Never> {
    unavailable()
  }

  /// The form of ``flatMapFailure(to:_:)`` with the name of `recover(with:)`.
  @available(
    *, unavailable, message: "write flatMapFailure { error in … }, or recover(with: element)"
  )
  public func recover(
    _ fallback: @escaping (Failure) -> EventStream<Element, Never>
  ) -> EventStream<Element, Never> { unavailable() }

  /// RxSwift's form of `recover(with:)`.
  @available(*, unavailable, renamed: "recover(with:)")
  public func catchAndReturn(_ element: Element) -> EventStream<Element, Never> { unavailable() }

  /// Combine's form of `recover(with:)`.
  @available(*, unavailable, renamed: "recover(with:)")
  public func replaceError(with element: Element) -> EventStream<Element, Never> { unavailable() }

  /// ReactiveKit's form of ``ignoreFailure(file:line:log:)``.
  @available(*, unavailable, message: "write ignoreFailure()")
  public func suppressError(logging: Bool) -> EventStream<Element, Never> { unavailable() }

  /// ReactiveKit's form of ``flatMapFailure(to:_:)``.
  @available(*, unavailable, renamed: "flatMapFailure(_:)")
  public func flatMapError<NewFailure: Error>(
    _ transform: @escaping (Failure) -> EventStream<Element, NewFailure>
  ) -> EventStream<Element, NewFailure> { unavailable() }

  /// Combine's and ReactiveKit's form of ``mapFailure(to:_:)``.
  @available(*, unavailable, renamed: "mapFailure(_:)")
  public func mapError<NewFailure: Error>(
    _ transform: @escaping (Failure) -> NewFailure
  ) -> EventStream<Element, NewFailure> { unavailable() }

  /// Combine's form of ``failing(with:)``.
  @available(*, unavailable, renamed: "failing(with:)")
  public func setFailureType<NewFailure: Error>(
    to type: NewFailure.Type
  ) -> EventStream<Element, NewFailure> { unavailable() }

  /// RxSwift's earlier form of ``retry(when:)``.
  @available(*, unavailable, renamed: "retry(when:)")
  public func retryWhen<Signal>(
    _ notifier: @escaping (EventStream<Failure, Never>) -> EventStream<Signal, Failure>
  ) -> EventStream<Element, Failure> { unavailable() }
}

// MARK: - Several failure types

extension StreamProtocol {
  /// The inner streams fail in another way than the source, or the source cannot fail.
  @available(
    *, unavailable,
    message: """
      the inner streams have another failure type than the source: add recover(with:), \
      ignoreFailure() or mapFailure { } to them, or failing(with:) to a source that cannot fail
      """
  )
  public func flatMap<Output, InnerFailure: Error>(
    _ transform: @escaping (Element) -> EventStream<Output, InnerFailure>
  ) -> EventStream<Output, Failure> { unavailable() }

  /// The inner streams fail in another way than the source, or the source cannot fail.
  @available(
    *, unavailable,
    message: """
      the inner streams have another failure type than the source: add recover(with:), \
      ignoreFailure() or mapFailure { } to them, or failing(with:) to a source that cannot fail
      """
  )
  public func concatMap<Output, InnerFailure: Error>(
    _ transform: @escaping (Element) -> EventStream<Output, InnerFailure>
  ) -> EventStream<Output, Failure> { unavailable() }

  /// The inner streams fail in another way than the source, or the source cannot fail.
  @available(
    *, unavailable,
    message: """
      the inner streams have another failure type than the source: add recover(with:), \
      ignoreFailure() or mapFailure { } to them, or failing(with:) to a source that cannot fail
      """
  )
  public func flatMapLatest<Output, InnerFailure: Error>(
    _ transform: @escaping (Element) -> EventStream<Output, InnerFailure>
  ) -> EventStream<Output, Failure> { unavailable() }

  /// The inner streams fail in another way than the source, or the source cannot fail.
  @available(
    *, unavailable,
    message: """
      the inner streams have another failure type than the source: add recover(with:), \
      ignoreFailure() or mapFailure { } to them, or failing(with:) to a source that cannot fail
      """
  )
  public func flatMapFirst<Output, InnerFailure: Error>(
    _ transform: @escaping (Element) -> EventStream<Output, InnerFailure>
  ) -> EventStream<Output, Failure> { unavailable() }

  /// The streams fail in different ways.
  @available(
    *, unavailable,
    message: """
      the streams have different failure types: add recover(with:), ignoreFailure() or \
      mapFailure { } to one of them
      """
  )
  public func merge<OtherFailure: Error>(
    _ other: some StreamConvertible<Element, OtherFailure>
  ) -> EventStream<Element, Failure> { unavailable() }

  /// The streams fail in different ways.
  @available(
    *, unavailable,
    message: """
      the streams have different failure types: add recover(with:), ignoreFailure() or \
      mapFailure { } to one of them
      """
  )
  public func combineLatest<Other, OtherFailure: Error>(
    _ other: some StreamConvertible<Other, OtherFailure>
  ) -> EventStream<(Element, Other), Failure> { unavailable() }

  /// The streams fail in different ways.
  @available(
    *, unavailable,
    message: """
      the streams have different failure types: add recover(with:), ignoreFailure() or \
      mapFailure { } to one of them
      """
  )
  public func zip<Other, OtherFailure: Error>(
    _ other: some StreamConvertible<Other, OtherFailure>
  ) -> EventStream<(Element, Other), Failure> { unavailable() }
}
