/// A renderer of the windows of an application on a grid of cells.
@MainActor
package enum Renderer {
  /// Lays out all windows for a screen size and returns a grid that shows them.
  package static func picture(of application: Application, size: Size) -> Grid {
    var painter = Painter(Grid(size, style: application.theme.text))
    // Windows behind a full-screen window are invisible.
    let windows = application.windows
    let last = windows.lastIndex { $0.style == .full } ?? 0
    for window in windows.dropFirst(last) {
      window.layout(on: painter.size)
      // Only the frontmost window shows a cursor.
      painter.placeCursor(at: nil)
      draw(window, in: &painter, theme: application.theme)
    }
    if let hint = application.quitHint { draw(hint, in: &painter, theme: application.theme) }
    if let toast = application.toast {
      application.toasts.frame = painter.draw(toast, theme: application.theme)
    }
    if let tip = application.toolTips.shown(in: application.keyWindow) {
      painter.draw(toolTip: tip.text, at: tip.point, theme: application.theme)
    }
    return painter.grid
  }

  /// Draws the quit hint in the last row, if that row is empty and the screen is at least 40 × 10
  /// cells.
  private static func draw(_ hint: String, in painter: inout Painter, theme: Theme) {
    let y = painter.size.height - 1
    guard painter.size.width >= 40, y >= 9, painter.grid.cursor?.y != y else { return }
    let isEmpty = (0..<painter.size.width).allSatisfy {
      painter.grid[Point(x: $0, y: y)] == Cell(" ", style: theme.text)
    }
    guard isEmpty else { return }
    let row = Rect(x: 0, y: y, width: painter.size.width - 1, height: 1)
    painter.put(hint, in: row, alignment: .trailing, style: theme.faint)
  }

  private static func draw(_ window: Window, in painter: inout Painter, theme: Theme) {
    if window.style == .dialog {
      let frame = window.root.frame
      painter.fill(frame, style: theme.text)
      painter.border(frame, .rounded, title: window.title, style: theme.border)
    }
    draw(window.root, in: &painter, theme: theme)
    if let overlay = window.overlay { draw(overlay, in: &painter, theme: theme) }
  }

  private static func draw(_ view: View, in painter: inout Painter, theme: Theme) {
    painter.within(view.frame) { painter in
      guard !painter.visibleBounds.isEmpty else { return }
      (view as? any CellDrawn)?.draw(in: &painter, theme: theme)
      for view in view.subviews where !view.isHidden {
        draw(view, in: &painter, theme: theme)
      }
    }
  }
}
