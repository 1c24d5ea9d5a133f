import RunnelStreams

/// A control that the user switches on and off: a ``Checkbox`` or a ``Switch``. The space bar, Return
/// and the mouse change it.
@MainActor
public class ToggleControl: PressControl {
  /// True when the control is on.
  public var isOn: Bool { didSet { if isOn != oldValue { needsDisplay() } } }

  init(title: String, isOn: Bool) {
    self.isOn = isOn
    super.init(title: title)
  }

  /// Asks the delegate whether the user may change the state; nil if there is no delegate.
  func shouldChange(to isOn: Bool) -> Bool? { nil }

  /// Notifies the delegate that the user has changed the state.
  func didChange() {}

  /// Sends an event after each change by the user.
  var changes: EventStream<Void, Never> {
    preconditionFailure("\(type(of: self)) must override `changes`.")
  }

  /// Changes the state, as the user does: if the control can be used and the delegate agrees. Returns
  /// true if the state was changed.
  @discardableResult
  public func toggle() -> Bool { propose(isOn: !isOn) }

  /// Sets the state, as the user does: if the control can be used and the delegate agrees. Returns
  /// true if the control has this state afterwards.
  @discardableResult
  public func propose(isOn wanted: Bool) -> Bool {
    proposeChange(of: \.isOn, to: wanted) {
      shouldChange(to: wanted)
    } tell: {
      didChange()
    }
  }

  override func userPresses() { toggle() }
}

extension Reactive where Base: ToggleControl {
  /// The state: its current value, then the value after each change by the user.
  @MainActor public var isOn: ControlProperty<Bool> {
    ControlProperty(of: base, changes: { $0.changes }, get: { $0.isOn }, set: { $0.isOn = $1 })
  }
}
