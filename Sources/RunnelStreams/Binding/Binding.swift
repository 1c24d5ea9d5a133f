/// What a stream that cannot fail can be bound to: a property, a subject, a ``Binder``, and a list,
/// to which arrays are bound.
public protocol Bindable<Input> {
  /// What it takes.
  associatedtype Input

  /// Takes what the stream sends, until the stream or the target goes.
  ///
  /// *Disposal*: the target is held weakly. When it is released, the binding ends.
  func bind(from source: EventStream<Input, Never>) -> Disposable
}

extension StreamProtocol where Failure == Never {
  /// Sends the elements to a target.
  ///
  ///     searchText.map { "Results for \($0)" }.bind(to: title)
  ///
  /// *Events*: the end of the stream ends the binding, not the target. A stream that is made from
  /// its own target goes round for ever, unless something in it comes to rest, as
  /// `distinctUntilChanged` does; to keep two properties equal, use
  /// ``Property/bindTwoWay(to:file:line:)``.
  ///
  /// *Disposal*: the target is held weakly; when it is released, the binding ends. Nothing has to be
  /// kept.
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
  /// *Disposal*: as ``bind(to:file:line:)``; where the object is no ``LifetimeOwner``, its going is noticed
  /// at the next element.
  @discardableResult
  public func bind<Target: AnyObject>(
    to target: Target, _ path: ReferenceWritableKeyPath<Target, Element>,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Disposable {
    bind(to: Binder(target) { $0[keyPath: path] = $1 }, file: file, line: line)
  }
}

extension EventStream where Failure == Never {
  /// Hands the elements to a target, until the bag of its bindings goes with it.
  @inlinable
  package func bind(in bindings: DisposeBag, _ take: @escaping (Element) -> Void) -> Disposable {
    let binding = Disposable()
    start(in: binding, next: take, end: { _ in })
    bindings.add(binding)
    return binding
  }
}

extension Subject: Bindable {
  /// Sends on what the stream sends.
  @inlinable
  public func bind(from source: EventStream<Element, Never>) -> Disposable {
    source.bind(in: bindings) { [weak self] in self?.next($0) }
  }
}

extension Property: Bindable {
  /// Sets the value to what the stream sends.
  @inlinable
  public func bind(from source: EventStream<Value, Never>) -> Disposable {
    source.bind(in: changes.bindings) { [weak self] in self?.value = $0 }
  }
}
