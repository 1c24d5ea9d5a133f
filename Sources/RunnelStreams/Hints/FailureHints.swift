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
