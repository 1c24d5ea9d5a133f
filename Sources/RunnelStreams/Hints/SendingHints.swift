// Hints for sending events. See `Unavailable.swift`.

extension StreamSink {
  /// RxSwift's form of ``next(_:)``.
  @available(*, unavailable, renamed: "next(_:)")
  public func onNext(_ element: Input) { unavailable() }

  /// RxSwift's form of ``failed(_:)``.
  @available(*, unavailable, renamed: "failed(_:)")
  public func onError(_ error: Failure) { unavailable() }

  /// RxSwift's form of ``completed()``.
  @available(*, unavailable, renamed: "completed()")
  public func onCompleted() { unavailable() }

  /// RxSwift's form of ``send(_:)``.
  @available(*, unavailable, renamed: "send(_:)")
  public func on(_ event: StreamEvent<Input, Failure>) { unavailable() }

  /// RxRelay's form of ``next(_:)``.
  @available(*, unavailable, renamed: "next(_:)")
  public func accept(_ element: Input) { unavailable() }

  /// Combine's and ReactiveKit's form of ``next(_:)``.
  @available(*, unavailable, renamed: "next(_:)")
  public func send(_ element: Input) { unavailable() }

  /// ReactiveKit's form of ``next(_:)``.
  @available(*, unavailable, renamed: "next(_:)")
  public func receive(_ element: Input) { unavailable() }

  /// Combine's and ReactiveKit's form of ``end(_:)``.
  @available(*, unavailable, renamed: "end(_:)")
  public func send(completion: ForeignCompletion<Failure>) { unavailable() }
}

extension Property {
  /// RxSwift's way to set ``value``.
  @available(*, unavailable, message: "write property.value = newValue")
  public func onNext(_ value: Value) { unavailable() }

  /// RxRelay's way to set ``value``.
  @available(*, unavailable, message: "write property.value = newValue")
  public func accept(_ value: Value) { unavailable() }

  /// Combine's and ReactiveKit's way to set ``value``.
  @available(*, unavailable, message: "write property.value = newValue")
  public func send(_ value: Value) { unavailable() }
}
