/// A place in an object that a stream can be bound to.
///
///     @MainActor extension Reactive where Base: Label {
///       var title: Binder<String> { Binder(base) { label, title in label.text = title } }
///     }
///     name.bind(to: label.rx.title)
///
/// It holds the object weakly and hands it to the closure. It takes elements only: a stream that
/// can fail cannot be bound. The binding runs in the object's own domain, which is the main actor
/// for a control: the compiler sees to that (C11).
public struct Binder<Input> {
  private let deliver: (Input) -> Bool
  private let end: EventStream<Void, Never>?

  /// A binder to an object. The binding ends with the object: at once where it is a
  /// ``LifetimeOwner``, else at the next element.
  public init<Target: AnyObject>(_ target: Target, _ update: @escaping (Target, Input) -> Void) {
    end = (target as? any LifetimeOwner)?.lifetime.endedAtHome
    deliver = { [weak target] input in
      guard let target else { return false }
      update(target, input)
      return true
    }
  }

  /// Hands one element to the object, if it still exists.
  public func send(_ input: Input) {
    _ = deliver(input)
  }
}

extension Binder: Bindable {
  /// Hands each element to the object.
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
