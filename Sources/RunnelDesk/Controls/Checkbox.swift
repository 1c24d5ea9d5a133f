import RunnelProxies
import RunnelStreams
import RunnelText

/// What is asked and told when a person ticks a ``Checkbox``. What the program does is neither asked nor
/// told.
@Proxied
@MainActor
public protocol CheckboxDelegate: AnyObject {
  /// Whether it may be ticked, or not be any more.
  @Default(true) func checkbox(_ checkbox: Checkbox, shouldChangeTo isOn: Bool) -> Bool
  /// It has been ticked, or is not any more.
  @Default func checkboxDidChange(_ checkbox: Checkbox)
}

/// Something that is on or off: changed with the space bar, with Return, or with the mouse.
///
///     let wraps = Checkbox("Wrap lines", isOn: true)
///     wraps.rx.isOn.observeNext { print($0) }  // true
@MainActor
public final class Checkbox: View {
  /// Who is asked and told when a person ticks it.
  public weak var delegate: (any CheckboxDelegate)?

  /// The proxy of ``delegate``.
  public var rDelegate: CheckboxDelegateProxy { proxy(for: \.delegate) }

  /// What it is about.
  public var title: String { didSet { if title != oldValue { needsDisplay() } } }

  /// Whether it is on.
  public var isOn: Bool { didSet { if isOn != oldValue { needsDisplay() } } }

  let changes = PushStream<Void>()

  /// Something that is on or off.
  public init(_ title: String, isOn: Bool = false) {
    self.title = title
    self.isOn = isOn
  }

  /// Changes it, as a person does: where it can be used, and its delegate agrees. Returns whether it was
  /// changed.
  @discardableResult
  public func toggle() -> Bool { propose(isOn: !isOn) }

  /// Makes it so, as a person does: where it can be used, and its delegate agrees. Returns whether it is so
  /// then.
  @discardableResult
  public func propose(isOn wanted: Bool) -> Bool {
    guard isOn != wanted, canBeUsed, delegate?.checkbox(self, shouldChangeTo: wanted) ?? true,
      // Who was asked may have changed it.
      isOn != wanted
    else { return isOn == wanted }
    isOn = wanted
    delegate?.checkboxDidChange(self)
    changes.next(())
    return isOn == wanted
  }

  override public var canBecomeFirstResponder: Bool { true }

  override public func wantedExtent(in room: Size) -> Extent {
    Extent(width: 4.plus(title.cellWidth), height: 1)
  }

  override public func perform(_ command: Command) -> Bool {
    guard command == .insertNewline else { return false }
    toggle()
    return true
  }

  override public func keyDown(_ key: KeyPress) -> Bool {
    guard key == KeyPress(.character(" ")) else { return super.keyDown(key) }
    toggle()
    return true
  }

  override public func mouse(_ event: MouseEvent, clicks: Int) -> Bool {
    click(with: event) { toggle() }
  }
}

extension Checkbox: CellDrawn {
  /// Draws it.
  public func draw(in painter: inout Painter, theme: Theme) {
    let style = !isAvailable ? theme.disabled : hasFocus ? theme.selection : theme.text
    painter.put("[\(isOn ? "x" : " ")] \(title)", in: painter.bounds, style: style)
  }
}

extension Reactive where Base: Checkbox {
  /// Whether it is on: as it is, then whenever a person has changed it.
  @MainActor public var isOn: ControlProperty<Bool> {
    ControlProperty(of: base, changes: base.changes, get: { $0.isOn }, set: { $0.isOn = $1 })
  }

  /// What it is about.
  @MainActor public var title: Binder<String> { Binder(base) { $0.title = $1 } }
}
