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
public final class Checkbox: ToggleControl {
  /// The object that is asked and notified when the user changes the checkbox.
  public weak var delegate: (any CheckboxDelegate)? { didSet { keepProxy(for: \.delegate) } }

  /// The proxy of ``delegate``.
  public var rDelegate: CheckboxDelegateProxy { proxy(for: \.delegate) }

  /// Creates a checkbox.
  public init(_ title: String, isOn: Bool = false) {
    super.init(title: title, isOn: isOn)
  }

  override func shouldChange(to isOn: Bool) -> Bool? {
    delegate?.checkbox(self, shouldChangeTo: isOn)
  }

  override func didChange() { delegate?.checkboxDidChange(self) }

  override var changes: EventStream<Void, Never> {
    rDelegate.stream(\.checkboxDidChange).map { _ in }
  }

  /// The description for people who do not see the control.
  override public var accessibility: Accessibility? {
    Accessibility(.checkbox, label: title, value: isOn ? "checked" : "not checked")
  }

  override public func wantedExtent(in room: Size) -> Extent {
    Extent(width: 4.plus(title.cellWidth), height: 1)
  }
}
