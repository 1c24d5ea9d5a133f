// Hints for creating streams, and for conversions that Runnel does not need. See `Unavailable.swift`.

extension EventStream {
  /// RxSwift's form of ``init(_:)``.
  @available(*, unavailable, message: "write EventStream { observer in … }")
  public static func create(
    _ producer: @escaping (Observer<Element, Failure>) -> Disposable
  ) -> EventStream { unavailable() }

  /// RxSwift's form of ``sequence(_:)``.
  @available(*, unavailable, message: "write sequence([…])")
  public static func of(_ elements: Element...) -> EventStream { unavailable() }

  /// RxSwift's form of ``sequence(_:)``.
  @available(*, unavailable, renamed: "sequence(_:)")
  public static func from(_ elements: some Sequence<Element>) -> EventStream { unavailable() }

  /// RxSwift's form of ``completed``.
  @available(*, unavailable, message: "write completed")
  public static func empty() -> EventStream { unavailable() }

  /// RxSwift's form of ``failed(_:)``.
  @available(*, unavailable, renamed: "failed(_:)")
  public static func error(_ error: Failure) -> EventStream { unavailable() }
}

// MARK: - Converting

extension StreamConvertible {
  /// RxSwift's conversion to a stream.
  @available(*, unavailable, message: "leave it out, or write stream")
  public func asObservable() -> EventStream<Element, Failure> { unavailable() }

  /// Combine's conversion to a stream.
  @available(*, unavailable, message: "leave it out, or write stream")
  public func eraseToAnyPublisher() -> EventStream<Element, Failure> { unavailable() }

  /// ReactiveKit's conversion to a stream.
  @available(*, unavailable, message: "leave it out, or write stream")
  public func toSignal() -> EventStream<Element, Failure> { unavailable() }
}
