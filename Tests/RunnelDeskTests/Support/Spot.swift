import RunnelDesk

/// A view that can have the focus, shows its name, and tells what happens to it.
@MainActor
final class Spot: View, CellDrawn {
  let name: String
  let log: Log
  var letsGo = true
  var wants = true
  var canFocus = true
  var wanted = Extent(width: 4, height: 1)
  /// What it has use for.
  var takes: (KeyPress) -> Bool = { _ in false }
  var takesMouse = true
  /// What it does when it is told or asked something.
  var onEvent: (String) -> Void = { _ in }

  init(_ name: String, _ log: Log = Log()) {
    self.name = name
    self.log = log
  }

  private func tell(_ what: String) {
    log.add("\(name) \(what)")
    onEvent(what)
  }

  override var canBecomeFirstResponder: Bool { canFocus }
  override func wantedExtent(in room: Size) -> Extent { wanted }

  override func shouldBecomeFirstResponder() -> Bool {
    tell("should become")
    return wants
  }

  override func shouldResignFirstResponder() -> Bool {
    tell("should resign")
    return letsGo
  }

  override func didBecomeFirstResponder() { tell("became") }
  override func didResignFirstResponder() { tell("resigned") }

  override func keyDown(_ press: KeyPress) -> Bool {
    if takes(press) {
      tell("key \(press)")
      return true
    }
    return super.keyDown(press)
  }

  override func mouse(_ event: MouseEvent, clicks: Int) -> Bool {
    tell("\(event.action) \(event.position) \(clicks)")
    return takesMouse
  }

  func draw(in painter: inout Painter, theme: Theme) {
    painter.put(name, at: .zero)
    if hasFocus { painter.placeCursor(at: .zero) }
  }
}
