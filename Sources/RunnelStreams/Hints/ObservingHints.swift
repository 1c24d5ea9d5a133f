// Hints for observing and disposing. See `Unavailable.swift`.

extension StreamProtocol {
  /// RxSwift's form of ``observe(file:line:next:failed:completed:)``.
  @available(*, unavailable, message: "write observeNext { }, or observe(next:failed:completed:)")
  @discardableResult
  public func subscribe(
    onNext: ((Element) -> Void)? = nil, onError: ((Failure) -> Void)? = nil,
    onCompleted: (() -> Void)? = nil, onDisposed: (() -> Void)? = nil
  ) -> Disposable { unavailable() }

  /// RxSwift's form of ``observe(file:line:_:)``.
  @available(*, unavailable, renamed: "observe(_:)")
  @discardableResult
  public func subscribe(
    _ handler: @escaping (ForeignEvent<Element, Failure>) -> Void
  ) -> Disposable { unavailable() }

  /// Combine's form of ``observeNext(file:line:_:)``.
  @available(*, unavailable, renamed: "observeNext(_:)")
  @discardableResult
  public func sink(receiveValue: @escaping (Element) -> Void) -> Disposable { unavailable() }

  /// Combine's form of ``observe(file:line:next:failed:completed:)``.
  @available(*, unavailable, message: "write observe(next:failed:completed:)")
  @discardableResult
  public func sink(
    receiveCompletion: @escaping (ForeignCompletion<Failure>) -> Void,
    receiveValue: @escaping (Element) -> Void
  ) -> Disposable { unavailable() }

  /// ReactiveKit's form of ``observe(file:line:next:failed:completed:)``.
  @available(*, unavailable, renamed: "observe(failed:)")
  @discardableResult
  public func observeFailed(_ handler: @escaping (Failure) -> Void) -> Disposable { unavailable() }

  /// ReactiveKit's form of ``observe(file:line:next:failed:completed:)``.
  @available(*, unavailable, renamed: "observe(completed:)")
  @discardableResult
  public func observeCompleted(_ handler: @escaping () -> Void) -> Disposable { unavailable() }
}

// MARK: - Traits

extension Single {
  /// The stream's form of ``observe(file:line:succeeded:failed:)``.
  @available(*, unavailable, renamed: "observe(succeeded:)")
  @discardableResult
  public func observeNext(_ handler: @escaping (Element) -> Void) -> Disposable { unavailable() }

  /// RxSwift's form of ``observe(file:line:succeeded:failed:)``.
  @available(*, unavailable, renamed: "observe(succeeded:failed:)")
  @discardableResult
  public func subscribe(
    onSuccess: ((Element) -> Void)? = nil, onFailure: ((Failure) -> Void)? = nil
  ) -> Disposable { unavailable() }
}

extension Maybe {
  /// The stream's form of ``observe(file:line:succeeded:failed:)``.
  @available(*, unavailable, message: "write observe(succeeded:), with nil for completion")
  @discardableResult
  public func observeNext(_ handler: @escaping (Element) -> Void) -> Disposable { unavailable() }

  /// RxSwift's form of ``observe(file:line:succeeded:failed:)``.
  @available(*, unavailable, message: "write observe(succeeded:failed:), with nil for completion")
  @discardableResult
  public func subscribe(
    onSuccess: ((Element) -> Void)? = nil, onError: ((Failure) -> Void)? = nil,
    onCompleted: (() -> Void)? = nil
  ) -> Disposable { unavailable() }
}

extension Completable {
  /// RxSwift's form of ``observe(file:line:completed:failed:)``.
  @available(*, unavailable, renamed: "observe(completed:failed:)")
  @discardableResult
  public func subscribe(
    onCompleted: (() -> Void)? = nil, onError: ((Failure) -> Void)? = nil
  ) -> Disposable { unavailable() }
}

// MARK: - Disposing

extension Disposable {
  /// Combine's form of ``dispose()``.
  @available(*, unavailable, renamed: "dispose()")
  public func cancel() { unavailable() }

  /// Combine's form of ``disposed(by:)``.
  @available(*, unavailable, renamed: "disposed(by:)")
  public func store(in bag: DisposeBag) { unavailable() }

  /// Combine's form of ``disposed(by:)``.
  @available(*, unavailable, message: "write disposed(by: bag), with a DisposeBag")
  public func store<Bag>(in bag: inout Bag) { unavailable() }

  /// ReactiveKit's form of ``disposed(by:)``.
  @available(*, unavailable, renamed: "disposed(by:)")
  public func dispose(in bag: DisposeBag) { unavailable() }
}

extension DisposeBag {
  /// RxSwift's form of ``add(_:)``.
  @available(*, unavailable, renamed: "add(_:)")
  public func insert(_ disposable: Disposable) { unavailable() }

  /// ReactiveKit's way to dispose the contents.
  @available(*, unavailable, message: "replace the bag: bag = DisposeBag()")
  public func dispose() { unavailable() }
}

// MARK: - Events of other libraries

/// RxSwift's event. With its cases, the closure of a hint compiles, and only the hint is reported.
@available(*, unavailable, renamed: "StreamEvent")
public enum ForeignEvent<Element, Failure> {
  case next(Element)
  case error(Failure)
  case completed
}

/// Combine's end of a stream. See ``ForeignEvent``.
@available(*, unavailable, renamed: "Termination")
public enum ForeignCompletion<Failure> {
  case finished
  case failure(Failure)
}
