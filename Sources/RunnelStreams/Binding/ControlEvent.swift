/// The events of a control, such as clicks, Return keys or selections.
///
///     @MainActor extension Reactive where Base: Button {
///       var tap: ControlEvent<Void> { ControlEvent(base.taps, of: base) }
///     }
///     saveButton.rx.tap.observeNext { save() }
///
/// This type guarantees what RxCocoa requires of the implementer:
/// - It cannot fail.
/// - It sends nothing at the time of observation: elements that its source sends then are dropped.
/// - It completes when the control is released, and does not keep the control alive.
/// - It delivers in the control's domain, the main actor; the compiler checks this (C11).
public struct ControlEvent<Element> {
  /// The stream of the events.
  public let stream: EventStream<Element, Never>

  /// Creates the events of a control from a stream of them.
  @inlinable
  public init(_ events: some StreamConvertible<Element, Never>, of control: some LifetimeOwner) {
    stream = events.stream.droppingInitial.take(until: control.lifetime.endedAtHome)
  }
}

extension ControlEvent: StreamProtocol {}

/// A property of a control that both the user and the program change, such as its text, selection
/// or value.
///
///     @MainActor extension Reactive where Base: Slider {
///       var value: ControlProperty<Double> {
///         ControlProperty(of: base, values: base.position) { $0.position.value = $1 }
///       }
///     }
///
/// This type guarantees what RxCocoa requires of the implementer:
/// - It cannot fail.
/// - It sends its current value at the time of observation, and then each change that the control
///   reports. A control need not report changes by the program.
/// - All observers share one observation of the control, and a late observer receives the latest
///   value. Store the property if several observers use it, because `view.rx.text` creates a new
///   one at each call.
/// - It completes when the control is released, and does not keep the control alive.
/// - It delivers in the control's domain, the main actor; the compiler checks this (C11).
public struct ControlProperty<Value> {
  /// The current value, then each change.
  public let stream: EventStream<Value, Never>
  @usableFromInline let sink: Binder<Value>

  /// Creates a property from a stream of its values, the current one first, and a closure that sets
  /// it.
  @inlinable
  public init<Control: LifetimeOwner>(
    of control: Control,
    values: some StreamConvertible<Value, Never>,
    set: @escaping (Control, Value) -> Void
  ) {
    stream = values.stream.take(until: control.lifetime.endedAtHome)
      .share(replay: 1, scope: .whileConnected)
    sink = Binder(control, set)
  }

  /// Sets the value.
  @inlinable
  public func send(_ value: Value) {
    sink.send(value)
  }

  /// The changes, without the current value.
  @inlinable
  public var changed: EventStream<Value, Never> { stream.droppingInitial }
}

extension ControlProperty: StreamProtocol, Bindable {
  /// Sets the value to each element of the stream.
  @inlinable
  public func bind(from source: EventStream<Value, Never>) -> Disposable {
    sink.bind(from: source)
  }
}

extension EventStream {
  /// The stream without the elements that it sends while it is being observed.
  @inlinable
  var droppingInitial: EventStream {
    let source = link
    return .unguarded(after: source) { observer in
      var isStarting = true
      source.startCompletely(
        Observer(before: observer) { element in
          if !isStarting { observer.next(element) }
        })
      isStarting = false
    }
  }
}
