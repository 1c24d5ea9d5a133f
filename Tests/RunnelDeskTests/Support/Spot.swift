import RunnelDesk

/// A view that can have the focus, shows its name, and logs its events.
@MainActor
final class Spot: View, CellDrawn {
  let name: String
  let log: Log
  var allowsResign = true
  var allowsFocus = true
  var canFocus = true
  var wanted = Extent(width: 4, height: 1)
  /// Returns true for the keys that the view handles.
  var takes: (KeyPress) -> Bool = { _ in false }
  var takesMouse = true
  /// An action for each logged event.
  var onEvent: (String) -> Void = { _ in }

  init(_ name: String, _ log: Log = Log()) {
    self.name = name
    self.log = log
  }

  private func record(_ what: String) {
    log.add("\(name) \(what)")
    onEvent(what)
  }

  override var canBecomeFirstResponder: Bool { canFocus }
  override func wantedExtent(in room: Size) -> Extent { wanted }

  override func shouldBecomeFirstResponder() -> Bool {
    record("should become")
    return allowsFocus
  }

  override func shouldResignFirstResponder() -> Bool {
    record("should resign")
    return allowsResign
  }

  override func didBecomeFirstResponder() { record("became") }
  override func didResignFirstResponder() { record("resigned") }

  override func keyDown(_ press: KeyPress) -> Bool {
    if takes(press) {
      record("key \(press)")
      return true
    }
    return super.keyDown(press)
  }

  override func mouse(_ event: MouseEvent, clicks: Int) -> Bool {
    record("\(event.action) \(event.position) \(clicks)")
    return takesMouse
  }

  func draw(in painter: inout Painter, theme: Theme) {
    painter.put(name, at: .zero)
    if hasFocus { painter.placeCursor(at: .zero) }
  }
}
