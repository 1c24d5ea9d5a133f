#if GTK
import CGTK
import RunnelDesk

/// A view without a native widget, which draws itself in cells. It looks as in a terminal, in the
/// colours of the desktop.
final class CellsMirror: ViewMirror {
  private let drawn: any CellDrawn
  private var grid = Grid(.zero)

  init(_ view: any CellDrawn, in window: WindowMirror) {
    drawn = view
    let area = made(gtk_drawing_area_new())
    super.init(view, in: window, native: area)
    gtk_widget_set_focusable(area, 1)
    gtk_drawing_area_set_draw_func(
      cast(area),
      { _, context, width, height, data in
        // Safety: GTK draws on the main thread only.
        nonisolated(unsafe) let (context, data) = (context, data)
        MainActor.assumeIsolated {
          guard let context, let data else { return }
          // Safety: the mirror removes the function before it is released.
          let mirror = Unmanaged<CellsMirror>.fromOpaque(data).takeUnretainedValue()
          mirror.draw(on: context, width: Int(width), height: Int(height))
        }
      }, Unmanaged.passUnretained(self).toOpaque(), nil)
  }

  override func update() {
    super.update()
    guard let native, let theme = window.backend.application?.theme else { return }
    var painter = Painter(Grid(drawn.bounds.size, style: theme.text))
    drawn.draw(in: &painter, theme: theme)
    if painter.grid == grid { return }
    grid = painter.grid
    gtk_widget_queue_draw(native)
  }

  private func draw(on context: OpaquePointer, width: Int, height: Int) {
    guard let native else { return }
    GridDrawing(grid, of: native, width: Double(width), height: Double(height)).draw(on: context)
  }

  override func texts() -> [(cell: Point, text: String)] {
    grid.lines.enumerated().map { y, line in (Point(x: 0, y: y), line) }
  }

  override func end() {
    if let native { gtk_drawing_area_set_draw_func(cast(native), nil, nil, nil) }
    super.end()
  }
}
#endif
