#if GTK
import CGTK
import RunnelDesk

/// The root view of a dialog: its content, and free space around it.
final class DialogMirror: ViewMirror {
  /// The content, unless another view is shown with it: then both are placed in cells.
  private var content: ViewMirror? {
    children.count == 1 ? children.first { $0.view === window.window.content } : nil
  }

  /// The margins of the cell layout, in pixels.
  private var margins: Margins {
    let (root, content) = (view.bounds, window.window.content.frame)
    return Margins(
      top: window.metrics.pixels(rows: content.minY),
      left: window.metrics.pixels(columns: content.minX),
      bottom: window.metrics.pixels(rows: root.maxY - content.maxY),
      right: window.metrics.pixels(columns: root.maxX - content.maxX))
  }

  /// The size in pixels that the dialog wants.
  var wantedSize: Size {
    let cells = view.frame.size
    var size = Size(
      width: window.metrics.pixels(columns: cells.width),
      height: window.metrics.pixels(rows: cells.height))
    guard let content, content.isMeasured else { return size }
    let wanted = content.wanted(in: size.inset(by: margins)).outset(by: margins)
    size.width = max(size.width, wanted.width ?? 0)
    size.height = max(size.height, wanted.height ?? 0)
    return size
  }

  override func arrangement(in size: Size) -> [Rect]? {
    guard let content, content.isMeasured else { return nil }
    return [Rect(origin: .zero, size: size).inset(by: margins)]
  }
}
#endif
