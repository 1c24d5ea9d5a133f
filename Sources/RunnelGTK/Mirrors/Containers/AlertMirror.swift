#if GTK
import RunnelDesk

/// The content of an alert: a message, an accessory, and buttons, which are placed in pixels.
final class AlertMirror: ViewMirror {
  private let alert: AlertView

  init(_ alert: AlertView, in window: WindowMirror) {
    self.alert = alert
    super.init(alert, in: window)
  }

  override var isMeasured: Bool { true }

  private var gap: Int { window.pixels(.section, along: .vertical) }

  private func height(of view: View?, in room: Size) -> Int {
    guard let view, let mirror = children.first(where: { $0.view === view }) else { return 0 }
    return mirror.wanted(in: room).height ?? mirror.rowHeight
  }

  private func heights(in room: Size) -> (message: Int, accessory: Int, buttons: Int) {
    (
      alert.message.text.isEmpty ? 0 : height(of: alert.message, in: room),
      height(of: alert.accessory, in: room), height(of: alert.row, in: room)
    )
  }

  override func arrangement(in size: Size) -> [Rect]? {
    let (message, accessory, buttons) = heights(in: size)
    let rest = size.height - buttons - gap - accessory
    if rest < message { return nil }
    return children.map { child in
      if child.view === alert.row {
        let wanted = child.wanted(in: size).width ?? size.width
        let start = alert.row.axis == .horizontal ? max(size.width - wanted, 0) : 0
        return Rect(
          x: start, y: size.height - buttons, width: size.width - start, height: buttons)
      }
      return child.view === alert.message
        ? Rect(x: 0, y: 0, width: size.width, height: rest)
        : Rect(x: 0, y: rest, width: size.width, height: accessory)
    }
  }

  override func wanted(in room: Size) -> Extent {
    var extent = wantedCells(in: room)
    let (message, accessory, buttons) = heights(in: room)
    extent.height = message + accessory + gap + buttons
    return extent
  }
}
#endif
