import RunnelStreams

extension ControlProperty {
  /// A property of a control that it reads when somebody observes it, and whenever a person has changed it.
  init<Control: LifetimeOwner>(
    of control: Control, changes: PushStream<Void>, get: @escaping (Control) -> Value,
    set: @escaping (Control, Value) -> Void
  ) {
    let values = EventStream<Value, Never>.deferred { [weak control] in
      guard let control else { return .completed }
      return changes.compactMap { [weak control] in control.map(get) }.startWith(get(control))
    }
    self.init(of: control, values: values, set: set)
  }
}
