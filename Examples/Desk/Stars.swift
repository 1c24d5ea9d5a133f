import Runnel
import RunnelDesk

final class Stars: View, CellDrawn {
  var count = 3 { didSet { needsDisplay() } }

  override var canBecomeFirstResponder: Bool { true }
  override func wantedExtent(in room: Size) -> Extent { Extent(width: 5, height: 1) }

  override func perform(_ command: Command) -> Bool {
    switch command {
    case .move(.left): count = max(count - 1, 0)
    case .move(.right): count = min(count + 1, 5)
    default: return false
    }
    return true
  }

  func draw(in painter: inout Painter, theme: Theme) {
    let stars = String(repeating: "★", count: count)
    painter.put(stars, at: .zero, style: hasFocus ? theme.selection : theme.text)
  }
}

let backend = HeadlessBackend(Size(width: 20, height: 3))
let application = Application(backend: backend)
let stars = Stars()
let window = Window(content: stars)
application.show(window)
window.makeFirstResponder(stars)
backend.press("right")
print(backend.text)

// Output:
// ★★★★
