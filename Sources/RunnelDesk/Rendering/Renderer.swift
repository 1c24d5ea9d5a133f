/// Shows the windows of an application on a grid of cells.
@MainActor
package enum Renderer {
  /// A picture of all windows, for a screen of a size. It gives all views their places.
  package static func picture(of application: Application, size: Size) -> Grid {
    var painter = Painter(Grid(size, style: application.theme.text))
    // What is behind a window that takes all of the screen is not seen.
    let windows = application.windows
    let last = windows.lastIndex { $0.style == .full } ?? 0
    for window in windows.dropFirst(last) {
      window.layout(on: painter.size)
      // Only the window in front has a cursor.
      painter.placeCursor(at: nil)
      draw(window, in: &painter, theme: application.theme)
    }
    return painter.grid
  }

  private static func draw(_ window: Window, in painter: inout Painter, theme: Theme) {
    if window.style == .dialog {
      let frame = window.root.frame
      painter.fill(frame, style: theme.text)
      painter.border(frame, .rounded, title: window.title, style: theme.border)
    }
    draw(window.root, in: &painter, theme: theme)
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
