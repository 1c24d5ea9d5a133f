#if GTK
import CGTK
import RunnelDesk

/// The size of a cell in pixels. Views are laid out in cells on every backend.
struct CellMetrics: Equatable {
  var width: Double
  var height: Double

  /// The space above and below a line of text in a cell, such as the border of a text field.
  static let verticalPadding = 10.0

  /// The room of a letter with the margin of its text. Bold titles and dates then fit into their columns.
  private static let looseness = 1.15

  /// Measures the font of a widget.
  @MainActor
  init(of widget: Widget) {
    let context = gtk_widget_get_pango_context(widget)
    let metrics = pango_context_get_metrics(context, nil, nil)
    defer { pango_font_metrics_unref(metrics) }
    let scale = Double(PANGO_SCALE)
    let digit = Double(pango_font_metrics_get_approximate_digit_width(metrics)) / scale
    let letter = Double(pango_font_metrics_get_approximate_char_width(metrics)) / scale
    let line = Double(pango_font_metrics_get_height(metrics)) / scale
    width = (max(digit, letter, 4) * Self.looseness).rounded(.up)
    height = (max(line, 8) + Self.verticalPadding).rounded(.up)
  }

  init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  /// Returns the number of whole cells in an area.
  func cells(width: Int, height: Int) -> Size {
    Size(width: Int(Double(width) / self.width), height: Int(Double(height) / self.height))
  }

  /// Returns the metrics with which cells fill an area exactly.
  func fitted(to size: Size, width: Int, height: Int) -> CellMetrics {
    guard !size.isEmpty else { return self }
    return CellMetrics(
      width: Double(width) / Double(size.width), height: Double(height) / Double(size.height))
  }

  /// Returns the pixels of a rectangle of cells. Neighbours touch.
  func pixels(of rect: Rect) -> GtkAllocation {
    let (x, y) = (pixels(columns: rect.minX), pixels(rows: rect.minY))
    return GtkAllocation(
      x: gint(x), y: gint(y), width: gint(pixels(columns: rect.maxX) - x),
      height: gint(pixels(rows: rect.maxY) - y))
  }

  func pixels(columns: Int) -> Int { Self.pixels(columns, width) }
  func pixels(rows: Int) -> Int { Self.pixels(rows, height) }

  /// The height of a line of text without the space above and below it.
  var lineHeight: Double { height - Self.verticalPadding }

  private static func pixels(_ count: Int, _ length: Double) -> Int {
    Int(gint(clamping: Int(min(max(Double(count) * length, -1e9), 1e9).rounded())))
  }

  /// Returns the cell at a pixel.
  func cell(x: Double, y: Double) -> Point {
    Point(x: Int((x / width).rounded(.down)), y: Int((y / height).rounded(.down)))
  }
}
#endif
