/// The events of a control: taps, returns, selections made.
///
///     @MainActor extension Reactive where Base: Button {
///       var tap: ControlEvent<Void> { ControlEvent(base.taps, of: base) }
///     }
///     saveButton.rx.tap.observeNext { save() }
///
/// What RxCocoa asks of whoever makes one, this type sees to itself:
/// - it cannot fail;
/// - it sends nothing on being observed: what its source sends at that moment is dropped;
/// - it completes when the control is released, which it does not keep alive;
/// - it delivers in the control's domain, the main actor, which the compiler checks (C11).
public struct ControlEvent<Element> {
  /// The events.
  public let stream: EventStream<Element, Never>

  /// The events of a control, from where it sends them.
  public init(_ events: some StreamConvertible<Element, Never>, of control: some LifetimeOwner) {
    stream = events.stream.droppingInitial.take(until: control.lifetime.endedAtHome)
  }
}

extension ControlEvent: StreamProtocol {}

/// A property of a control that both the user and the program change: text, selection, value.
///
///     @MainActor extension Reactive where Base: Slider {
///       var value: ControlProperty<Double> {
///         ControlProperty(of: base, values: base.position) { $0.position.value = $1 }
///       }
///     }
///
/// What RxCocoa asks of whoever makes one, this type sees to itself:
/// - it cannot fail;
/// - it sends its current value on being observed, then each change that the control tells of, which
///   need not be those that the program makes;
/// - all its observers share one observation of the control, and late ones get the latest value; so
///   keep it where several observe, for `view.rx.text` makes a new one each time;
/// - it completes when the control is released, which it does not keep alive;
/// - it delivers in the control's domain, the main actor, which the compiler checks (C11).
public struct ControlProperty<Value> {
  /// The current value, then each change.
  public let stream: EventStream<Value, Never>
  private let sink: Binder<Value>

  /// A property of a control, from its values (the current one first) and a way to set it.
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
  public func send(_ value: Value) {
    sink.send(value)
  }

  /// The changes, without the current value.
  public var changed: EventStream<Value, Never> { stream.droppingInitial }
}

extension ControlProperty: StreamProtocol, Bindable {
  /// Sets the value to what the stream sends.
  public func bind(from source: EventStream<Value, Never>) -> Disposable {
    sink.bind(from: source)
  }
}

extension EventStream {
  /// The stream without what it sends while it is being observed.
  var droppingInitial: EventStream {
    .unguarded { observer in
      var isStarting = true
      start(
        Observer(before: observer) { element in
          if !isStarting { observer.next(element) }
        })
      isStarting = false
    }
  }
}
