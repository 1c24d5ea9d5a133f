import RunnelStreams

/// A control that is pressed with Return, the space bar, or the mouse: a ``Button``, a ``Link``, a
/// ``Checkbox`` or a ``Switch``.
@MainActor
public class PressControl: View {
  /// The text on or next to the control.
  public var title: String { didSet { if title != oldValue { needsDisplay() } } }

  init(title: String) {
    self.title = title
  }

  /// Does what the user wants by pressing the control, if it can be used.
  func userPresses() {
    preconditionFailure("\(type(of: self)) must override `userPresses`.")
  }

  /// The number of columns that react to the mouse; nil for all.
  var pressWidth: Int? { nil }

  override public var canBecomeFirstResponder: Bool { true }

  override var usesReturn: Bool { true }

  override public func perform(_ command: Command) -> Bool {
    guard command == .insertNewline else { return false }
    userPresses()
    return true
  }

  override public func keyDown(_ key: KeyPress) -> Bool {
    guard key == .space else { return super.keyDown(key) }
    userPresses()
    return true
  }

  override public func mouse(_ event: MouseEvent, clicks: Int) -> Bool {
    click(with: event, width: pressWidth) { userPresses() }
  }
}

extension Reactive where Base: PressControl {
  /// The text on or next to the control.
  @MainActor public var title: Binder<String> { Binder(base) { $0.title = $1 } }
}
