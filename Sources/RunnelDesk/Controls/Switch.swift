import RunnelProxies
import RunnelStreams
import RunnelText

/// A delegate that can refuse the user's changes of a ``Switch``, and is notified of them. It is not
/// notified of changes by the program.
@Proxied
@MainActor
public protocol SwitchDelegate: AnyObject {
  /// Returns true if the user may change the switch to this state.
  @Default(true) func switchControl(_ control: Switch, shouldChangeTo isOn: Bool) -> Bool
  /// Called after the user has changed the switch.
  @Default func switchDidChange(_ control: Switch)
}

/// A control for a setting that takes effect at once. Use a ``Checkbox`` for a value that is saved
/// later.
///
///     let wifi = Switch("Wi-Fi", isOn: true)
///     wifi.rx.isOn.observeNext { print($0) }  // true
///
/// The space bar, Return and the mouse change it. The left arrow switches it off, the right one on.
@MainActor
public final class Switch: View {
  /// The object that is asked and notified when the user changes the switch.
  public weak var delegate: (any SwitchDelegate)? { didSet { keepProxy(for: \.delegate) } }

  /// The proxy of ``delegate``.
  public var rDelegate: SwitchDelegateProxy { proxy(for: \.delegate) }

  /// The text next to the switch.
  public var title: String { didSet { if title != oldValue { needsDisplay() } } }

  /// True when the switch is on.
  public var isOn: Bool { didSet { if isOn != oldValue { needsDisplay() } } }

  /// Creates a switch.
  public init(_ title: String = "", isOn: Bool = false) {
    self.title = title
    self.isOn = isOn
  }

  /// Changes the state, as the user does: if the switch can be used and the delegate agrees. Returns
  /// true if the state was changed.
  @discardableResult
  public func toggle() -> Bool { propose(isOn: !isOn) }

  /// Sets the state, as the user does: if the switch can be used and the delegate agrees. Returns
  /// true if the switch has this state afterwards.
  @discardableResult
  public func propose(isOn wanted: Bool) -> Bool {
    proposeChange(of: \.isOn, to: wanted) {
      delegate?.switchControl(self, shouldChangeTo: wanted)
    } tell: {
      delegate?.switchDidChange(self)
    }
  }

  /// The description for people who do not see the control.
  override public var accessibility: Accessibility? {
    Accessibility(.switch, label: title, value: isOn ? "on" : "off")
  }

  override public var canBecomeFirstResponder: Bool { true }

  override public func wantedExtent(in room: Size) -> Extent {
    Extent(width: title.isEmpty ? 3 : 4.plus(title.cellWidth), height: 1)
  }

  override var usesReturn: Bool { true }

  override public func perform(_ command: Command) -> Bool {
    switch command {
    case .move(.left): propose(isOn: false)
    case .move(.right): propose(isOn: true)
    default: return press(with: command) { toggle() }
    }
    return true
  }

  override public func keyDown(_ key: KeyPress) -> Bool {
    press(with: key) { toggle() } || super.keyDown(key)
  }

  override public func mouse(_ event: MouseEvent, clicks: Int) -> Bool {
    click(with: event) { toggle() }
  }
}

extension Reactive where Base: Switch {
  /// The state: its current value, then the value after each change by the user.
  @MainActor public var isOn: ControlProperty<Bool> {
    ControlProperty(
      of: base, changes: { $0.rDelegate.stream(\.switchDidChange).map { _ in } },
      get: { $0.isOn }, set: { $0.isOn = $1 })
  }

  /// The text next to the switch.
  @MainActor public var title: Binder<String> { Binder(base) { $0.title = $1 } }
}
