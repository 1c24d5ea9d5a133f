import RunnelProxies
import RunnelStreams

@MainActor
extension ProxyHost where Self: View {
  /// Makes a change of the user: sets a property to a value and notifies the delegate, if the control
  /// can be used and the delegate agrees. Returns true if the property has the value afterwards.
  ///
  /// The change is abandoned if the delegate has changed the property itself or has made the value
  /// impossible. The delegate is not notified if setting the property has not led to the value.
  ///
  /// - Parameters:
  ///   - isPossible: Returns true if the property can have the value.
  ///   - ask: Asks the delegate; nil if there is none.
  ///   - tell: Notifies the delegate.
  func proposeChange<Value: Equatable>(
    of property: ReferenceWritableKeyPath<Self, Value>, to value: Value,
    if isPossible: () -> Bool = { true }, ask: () -> Bool?, tell: () -> Void
  ) -> Bool {
    let former = self[keyPath: property]
    guard isPossible() else { return false }
    guard former != value, canBeUsed, ask() ?? true,
      // The delegate may have changed the property or what is possible.
      self[keyPath: property] == former, isPossible()
    else { return self[keyPath: property] == value }
    self[keyPath: property] = value
    if self[keyPath: property] == value { tell() }
    return self[keyPath: property] == value
  }
}

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
