import RunnelStreams
import RunnelText

/// Text that opens something: a page, a file, another view. It is pressed with Return, the space
/// bar, or the mouse. A title that is too wide is truncated with "…".
///
///     let help = Link("Online help", target: "https://example.org/help")
///     help.rx.tap.observeNext { target in open(target) }
///
/// The control does not open the target itself, because only the application knows how. Many terminals
/// open a web address when the user clicks it with a modifier key.
@MainActor
public final class Link: PressControl {
  /// The address that the link opens, as the application understands it.
  public var target: String { didSet { if target != oldValue { needsDisplay() } } }

  let presses = PushStream<String>()

  /// Creates a link. Without a target, the title is the target.
  public init(_ title: String, target: String? = nil) {
    self.target = target ?? title
    super.init(title: title)
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

  override public func wantedExtent(in room: Size) -> Extent {
    Extent(width: title.cellWidth, height: 1)
  }

  override func userPresses() { press() }

  /// The view may be wider than the text.
  override var pressWidth: Int? { title.cellWidth }
}

extension Reactive where Base: Link {
  /// Sends the target when the link is pressed.
  @MainActor public var tap: ControlEvent<String> { ControlEvent(base.presses, of: base) }

  /// The address that the link opens.
  @MainActor public var target: Binder<String> { Binder(base) { $0.target = $1 } }
}
