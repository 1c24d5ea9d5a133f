import RunnelStreams
import RunnelText

/// A control that is pressed with Return, the space bar, or the mouse.
///
///     let save = Button("Save")
///     save.rx.tap.observeNext { print("saved") }
///     isValid.bind(to: save.rx.isEnabled)
@MainActor
public final class Button: PressControl {
  /// True when the button is drawn as an action that cannot be undone.
  public var isDestructive = false { didSet { needsDisplay() } }

  let presses = PushStream<Void>()

  /// Creates a button.
  public init(_ title: String) {
    super.init(title: title)
  }

  /// Presses the button, as the user does. Returns false if it cannot be used.
  @discardableResult
  public func press() -> Bool {
    guard canBeUsed else { return false }
    presses.next(())
    return true
  }

  /// True when Return presses the button.
  var isDefault: Bool { window?.defaultButton === self }

  /// The description for people who do not see the control.
  override public var accessibility: Accessibility? {
    Accessibility(.button, label: title)
  }

  override public func wantedExtent(in room: Size) -> Extent {
    Extent(width: title.cellWidth + 4, height: 1)
  }

  override func userPresses() { press() }
}

extension Reactive where Base: Button {
  /// Sends an event when the button is pressed.
  @MainActor public var tap: ControlEvent<Void> { ControlEvent(base.presses, of: base) }
}
