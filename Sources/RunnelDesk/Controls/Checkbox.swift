import RunnelProxies
import RunnelStreams
import RunnelText

/// A delegate that can refuse the user's changes of a ``Checkbox``, and is notified of them. It
/// is not notified of changes by the program.
@Proxied
@MainActor
public protocol CheckboxDelegate: AnyObject {
  /// Returns true if the user may change the checkbox to this state.
  @Default(true) func checkbox(_ checkbox: Checkbox, shouldChangeTo isOn: Bool) -> Bool
  /// Called after the user has changed the checkbox.
  @Default func checkboxDidChange(_ checkbox: Checkbox)
}

/// A control that the user switches on and off, with the space bar, Return, or the mouse.
///
///     let wraps = Checkbox("Wrap lines", isOn: true)
///     wraps.rx.isOn.observeNext { print($0) }  // true
@MainActor
public final class Checkbox: View {
  /// The object that is asked and notified when the user changes the checkbox.
  public weak var delegate: (any CheckboxDelegate)? { didSet { keepProxy(for: \.delegate) } }

  /// The proxy of ``delegate``.
  public var rDelegate: CheckboxDelegateProxy { proxy(for: \.delegate) }

  /// The text next to the box.
  public var title: String { didSet { if title != oldValue { needsDisplay() } } }

  /// True when the checkbox is on.
  public var isOn: Bool { didSet { if isOn != oldValue { needsDisplay() } } }

  /// Creates a checkbox.
  public init(_ title: String, isOn: Bool = false) {
    self.title = title
    self.isOn = isOn
  }

  /// Switches the checkbox, as the user does: if it can be used and the delegate agrees. Returns
  /// true if the state was changed.
  @discardableResult
  public func toggle() -> Bool { propose(isOn: !isOn) }

  /// Sets the state, as the user does: if the checkbox can be used and the delegate agrees. Returns
  /// true if the checkbox has this state afterwards.
  @discardableResult
  public func propose(isOn wanted: Bool) -> Bool {
    proposeChange(of: \.isOn, to: wanted) {
      delegate?.checkbox(self, shouldChangeTo: wanted)
    } tell: {
      delegate?.checkboxDidChange(self)
    }
  }

  /// The description for people who do not see the control.
  override public var accessibility: Accessibility? {
    Accessibility(.checkbox, label: title, value: isOn ? "checked" : "not checked")
  }

  override public var canBecomeFirstResponder: Bool { true }

  override public func wantedExtent(in room: Size) -> Extent {
    Extent(width: 4.plus(title.cellWidth), height: 1)
  }

  override var usesReturn: Bool { true }

  override public func perform(_ command: Command) -> Bool {
    press(with: command) { toggle() }
  }

  override public func keyDown(_ key: KeyPress) -> Bool {
    press(with: key) { toggle() } || super.keyDown(key)
  }

  override public func mouse(_ event: MouseEvent, clicks: Int) -> Bool {
    click(with: event) { toggle() }
  }
}

extension Reactive where Base: Checkbox {
  /// The state: its current value, then the value after each change by the user.
  @MainActor public var isOn: ControlProperty<Bool> {
    ControlProperty(
      of: base, changes: { $0.rDelegate.stream(\.checkboxDidChange).map { _ in } },
      get: { $0.isOn }, set: { $0.isOn = $1 })
  }

  /// The text next to the box.
  @MainActor public var title: Binder<String> { Binder(base) { $0.title = $1 } }
}
