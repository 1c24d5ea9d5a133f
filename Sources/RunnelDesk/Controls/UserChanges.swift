import RunnelStreams

extension ControlProperty {
  /// Creates a property whose value is read from the control when the observation begins, and after
  /// each change by the user.
  init<Control: LifetimeOwner>(
    of control: Control, changes: @escaping (Control) -> EventStream<Void, Never>,
    get: @escaping (Control) -> Value, set: @escaping (Control, Value) -> Void
  ) {
    let values = EventStream<Value, Never>.deferred { [weak control] in
      guard let control else { return .completed }
      return changes(control).compactMap { [weak control] in control.map(get) }.startWith(
        get(control))
    }
    self.init(of: control, values: values, set: set)
  }
}
