import RunnelStreams
import RunnelText

/// Something to press: with Return or the space bar, or the mouse.
///
///     let save = Button("Save")
///     save.rx.tap.observeNext { print("saved") }
///     isValid.bind(to: save.rx.isEnabled)
@MainActor
public final class Button: View {
  /// What it says.
  public var title: String { didSet { if title != oldValue { needsDisplay() } } }

  /// Whether it looks like something that cannot be undone.
  public var isDestructive = false { didSet { needsDisplay() } }

  let presses = PushStream<Void>()

  /// A button.
  public init(_ title: String) {
    self.title = title
  }

  /// Presses it, as a person does. Returns whether it can be used.
  @discardableResult
  public func press() -> Bool {
    guard canBeUsed else { return false }
    presses.next(())
    return true
  }

  /// Whether Return presses it.
  var isDefault: Bool { window?.defaultButton === self }

  override public var canBecomeFirstResponder: Bool { true }

  override public func wantedExtent(in room: Size) -> Extent {
    Extent(width: title.cellWidth + 4, height: 1)
  }

  override public func perform(_ command: Command) -> Bool {
    guard command == .insertNewline else { return false }
    press()
    return true
  }

  override public func keyDown(_ key: KeyPress) -> Bool {
    guard key == KeyPress(.character(" ")) else { return super.keyDown(key) }
    press()
    return true
  }

  override public func mouse(_ event: MouseEvent, clicks: Int) -> Bool {
    click(with: event) { press() }
  }
}

extension Button: CellDrawn {
  /// Draws it.
  public func draw(in painter: inout Painter, theme: Theme) {
    let style =
      !isAvailable
      ? theme.disabled
      : hasFocus ? theme.selection : isDestructive ? theme.destructive : theme.button
    let sides = isDefault ? ("<", ">") : ("[", "]")
    painter.put(
      "\(sides.0) \(title) \(sides.1)", in: painter.bounds, alignment: .center, style: style)
  }
}

extension Reactive where Base: Button {
  /// Sends when the button is pressed.
  @MainActor public var tap: ControlEvent<Void> { ControlEvent(base.presses, of: base) }

  /// What the button says.
  @MainActor public var title: Binder<String> { Binder(base) { $0.title = $1 } }
}
