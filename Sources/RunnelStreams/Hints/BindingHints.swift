// Hints for binding and driving controls. See `Unavailable.swift`.

extension StreamProtocol {
  /// A stream that can fail cannot be bound.
  @available(
    *, unavailable, message: "the stream can fail: add recover(with:) or ignoreFailure() before it"
  )
  @discardableResult
  public func bind<Target: Bindable>(
    to target: Target, file: StaticString = #fileID, line: UInt = #line
  ) -> Disposable where Target.Input == Element { unavailable() }

  /// A stream that can fail cannot be bound.
  @available(
    *, unavailable, message: "the stream can fail: add recover(with:) or ignoreFailure() before it"
  )
  @discardableResult
  public func bind<Target: AnyObject>(
    to target: Target, _ path: ReferenceWritableKeyPath<Target, Element>,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Disposable { unavailable() }

  /// The target takes another type.
  @available(
    *, unavailable, message: "the target takes another type: convert the elements with map { }"
  )
  @discardableResult
  public func bind<Target: Bindable>(
    to target: Target, file: StaticString = #fileID, line: UInt = #line
  ) -> Disposable { unavailable() }

  /// RxSwift's earlier form of `bind(to:)`.
  @available(*, unavailable, renamed: "bind(to:)")
  @discardableResult
  public func bindTo<Target: Bindable>(_ target: Target) -> Disposable
  where Target.Input == Element { unavailable() }

  /// RxCocoa's form of ``observeNext(file:line:_:)``.
  @available(*, unavailable, renamed: "observeNext(_:)")
  @discardableResult
  public func bind(onNext: @escaping (Element) -> Void) -> Disposable { unavailable() }

  /// Combine's form of `bind(to: object, \.property)`.
  @available(*, unavailable, message: "write bind(to: object, \\.property)")
  @discardableResult
  public func assign<Target>(
    to path: ReferenceWritableKeyPath<Target, Element>, on target: Target
  ) -> Disposable { unavailable() }
}

extension Property {
  /// Bond's form of ``bindTwoWay(to:file:line:)``.
  @available(*, unavailable, renamed: "bindTwoWay(to:)")
  @discardableResult
  public func bidirectionalBind(to other: Property) -> Disposable { unavailable() }

  /// A control takes the value of the property, so it comes first.
  @available(
    *, unavailable,
    message: "write the control first, which takes the value: field.rx.text.bindTwoWay(to: name)"
  )
  @discardableResult
  public func bindTwoWay(to control: ControlProperty<Value>) -> Disposable { unavailable() }
}

// MARK: - Drivers

extension StreamProtocol {
  /// A stream that can fail has no driver.
  @available(*, unavailable, message: "the stream can fail: write driver(recoveringWith:)")
  public var driver: Driver<Element> { unavailable() }

  /// A stream that can fail has no pulse.
  @available(*, unavailable, message: "the stream can fail: write pulse(recoveringWith:)")
  public var pulse: Pulse<Element> { unavailable() }

  /// RxCocoa's form of ``driver``.
  @available(*, unavailable, message: "write driver, or driver(recoveringWith:)")
  public func asDriver() -> Driver<Element> { unavailable() }

  /// RxCocoa's form of ``driver(recoveringWith:)``.
  @available(*, unavailable, renamed: "driver(recoveringWith:)")
  public func asDriver(onErrorJustReturn element: Element) -> Driver<Element> { unavailable() }

  /// RxCocoa's form of ``pulse``.
  @available(*, unavailable, message: "write pulse, or pulse(recoveringWith:)")
  public func asSignal() -> Pulse<Element> { unavailable() }
}
