/// A target that a stream without failures can be bound to: a property, a subject, a ``Binder``, or
/// a list, to which arrays are bound.
public protocol Bindable<Input> {
  /// The type of the elements that it accepts.
  associatedtype Input

  /// Receives the elements of a stream until the stream ends or the target is released.
  ///
  /// *Disposal*: the target is held weakly. When it is released, the binding ends.
  func bind(from source: EventStream<Input, Never>) -> Disposable
}

extension StreamProtocol where Failure == Never {
  /// Binds the stream to a target, which receives each element.
  ///
  ///     searchText.map { "Results for \($0)" }.bind(to: title)
  ///
  /// *Events*: the end of the stream ends the binding, not the target. A stream that is derived
  /// from its own target runs in an endless cycle, unless an operator such as
  /// `distinctUntilChanged` stops it. To keep two properties equal, use
  /// ``Property/bindTwoWay(to:file:line:)``.
  ///
  /// *Disposal*: the target is held weakly; when it is released, the binding ends. The returned
  /// disposable need not be kept.
  @discardableResult
  @inlinable
  public func bind<Target: Bindable>(
    to target: Target, file: StaticString = #fileID, line: UInt = #line
  ) -> Disposable where Target.Input == Element {
    let binding = target.bind(from: stream)
    if Resources.isTracking && !binding.isDisposed {
      binding.record = Resources.record(
        EventStream<Element, Failure>.self, SourceLocation(file: file, line: line))
    }
    return binding
  }

  /// Sets a property of an object to each element.
  ///
  ///     progress.bind(to: bar, \.fraction)
  ///
  /// *Disposal*: as ``bind(to:file:line:)``. If the object is not a ``LifetimeOwner``, its release
  /// ends the binding at the next element.
  @discardableResult
  @inlinable
  public func bind<Target: AnyObject>(
    to target: Target, _ path: ReferenceWritableKeyPath<Target, Element>,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Disposable {
    bind(to: Binder(target) { $0[keyPath: path] = $1 }, file: file, line: line)
  }
}

extension EventStream where Failure == Never {
  /// Passes the elements to a closure until the bag of the target's bindings is released.
  @inlinable
  package func bind(in bindings: DisposeBag, _ take: @escaping (Element) -> Void) -> Disposable {
    let binding = Disposable()
    start(in: binding, next: take, end: { _ in })
    bindings.add(binding)
    return binding
  }
}

extension Subject: Bindable {
  /// Sends each element of the stream.
  @inlinable
  public func bind(from source: EventStream<Element, Never>) -> Disposable {
    source.bind(in: bindings) { [weak self] in self?.next($0) }
  }
}

extension Property: Bindable {
  /// Sets the value to each element of the stream.
  @inlinable
  public func bind(from source: EventStream<Value, Never>) -> Disposable {
    source.bind(in: changes.bindings) { [weak self] in self?.value = $0 }
  }
}
