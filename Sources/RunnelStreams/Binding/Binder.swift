/// A target for bindings that updates an object with each element.
///
///     @MainActor extension Reactive where Base: Label {
///       var title: Binder<String> { Binder(base) { label, title in label.text = title } }
///     }
///     name.bind(to: label.rx.title)
///
/// A binder holds the object weakly and passes it to the closure. It accepts elements only, so a
/// stream that can fail cannot be bound. The closure runs in the object's own isolation domain,
/// which for a control is the main actor; the compiler checks this (C11).
public struct Binder<Input> {
  @usableFromInline let deliver: (Input) -> Bool
  @usableFromInline let end: EventStream<Void, Never>?

  /// Creates a binder to an object. The binding ends when the object is released: at once if the
  /// object is a ``LifetimeOwner``, otherwise at the next element.
  @inlinable
  public init<Target: AnyObject>(_ target: Target, _ update: @escaping (Target, Input) -> Void) {
    end = (target as? any LifetimeOwner)?.lifetime.endedAtHome
    deliver = { [weak target] input in
      guard let target else { return false }
      update(target, input)
      return true
    }
  }

  /// Passes one element to the object, if it still exists.
  @inlinable
  public func send(_ input: Input) {
    _ = deliver(input)
  }
}

extension Binder: Bindable {
  /// Passes each element to the object.
  @inlinable
  public func bind(from source: EventStream<Input, Never>) -> Disposable {
    let binding = Disposable()
    source.start(
      in: binding,
      next: { [deliver] input in
        if !deliver(input) { binding.dispose() }
      }, end: { _ in })
    if let end, !binding.isDisposed {
      end.start(under: binding, next: { binding.dispose() }, end: { _ in })
    }
    return binding
  }
}
