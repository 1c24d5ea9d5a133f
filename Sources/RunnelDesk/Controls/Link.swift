import RunnelStreams
import RunnelText

/// Text that opens something: a page, a file, another view. It is pressed with Return, the space
/// bar, or the mouse.
///
///     let help = Link("Online help", target: "https://example.org/help")
///     help.rx.tap.observeNext { target in open(target) }
///
/// The control does not open the target itself, because only the application knows how. Many terminals
/// open a web address when the user clicks it with a modifier key.
@MainActor
public final class Link: View {
  /// The text of the link. Text that is too wide is truncated with "…".
  public var title: String { didSet { if title != oldValue { needsDisplay() } } }

  /// The address that the link opens, as the application understands it.
  public var target: String { didSet { if target != oldValue { needsDisplay() } } }

  let presses = PushStream<String>()

  /// Creates a link. Without a target, the title is the target.
  public init(_ title: String, target: String? = nil) {
    self.title = title
    self.target = target ?? title
  }

  /// Presses the link, as the user does. Returns false if it cannot be used.
  @discardableResult
  public func press() -> Bool {
    guard canBeUsed else { return false }
    presses.next(target)
    return true
  }

  /// The description for people who do not see the control.
  override public var accessibility: Accessibility? { Accessibility(.link, label: title) }

  override public var canBecomeFirstResponder: Bool { true }

  override public func wantedExtent(in room: Size) -> Extent {
    Extent(width: title.cellWidth, height: 1)
  }

  override var usesReturn: Bool { true }

  override public func perform(_ command: Command) -> Bool {
    press(with: command) { press() }
  }

  override public func keyDown(_ key: KeyPress) -> Bool {
    press(with: key) { press() } || super.keyDown(key)
  }

  /// Presses the link if the mouse is on its text: the view may be wider.
  override public func mouse(_ event: MouseEvent, clicks: Int) -> Bool {
    click(with: event, width: title.cellWidth) { press() }
  }
}

extension Reactive where Base: Link {
  /// Sends the target when the link is pressed.
  @MainActor public var tap: ControlEvent<String> { ControlEvent(base.presses, of: base) }

  /// The text of the link.
  @MainActor public var title: Binder<String> { Binder(base) { $0.title = $1 } }

  /// The address that the link opens.
  @MainActor public var target: Binder<String> { Binder(base) { $0.target = $1 } }
}
