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
public final class Switch: ToggleControl {
  /// The object that is asked and notified when the user changes the switch.
  public weak var delegate: (any SwitchDelegate)? { didSet { keepProxy(for: \.delegate) } }

  /// The proxy of ``delegate``.
  public var rDelegate: SwitchDelegateProxy { proxy(for: \.delegate) }

  /// Creates a switch.
  public init(_ title: String = "", isOn: Bool = false) {
    super.init(title: title, isOn: isOn)
  }

  override func shouldChange(to isOn: Bool) -> Bool? {
    delegate?.switchControl(self, shouldChangeTo: isOn)
  }

  override func didChange() { delegate?.switchDidChange(self) }

  override var changes: EventStream<Void, Never> {
    rDelegate.stream(\.switchDidChange).map { _ in }
  }

  /// The description for people who do not see the control.
  override public var accessibility: Accessibility? {
    Accessibility(.switch, label: title, value: isOn ? "on" : "off")
  }

  override public func wantedExtent(in room: Size) -> Extent {
    Extent(width: title.isEmpty ? 3 : 4.plus(title.cellWidth), height: 1)
  }

  override public func perform(_ command: Command) -> Bool {
    switch command {
    case .move(.left): propose(isOn: false)
    case .move(.right): propose(isOn: true)
    default: return super.perform(command)
    }
    return true
  }
}
