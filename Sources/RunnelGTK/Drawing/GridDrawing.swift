#if GTK
import CGTK
import RunnelDesk

/// The drawing of a grid of cells with Cairo and Pango.
@MainActor
struct GridDrawing {
  private let grid: Grid
  private let widget: Widget
  private let cell: (width: Double, height: Double)
  private var foreground = GdkRGBA()
  private let colors: ThemeColors

  init(_ grid: Grid, of widget: Widget, width: Double, height: Double) {
    self.grid = grid
    self.widget = widget
    cell = (
      width / Double(max(grid.size.width, 1)), height / Double(max(grid.size.height, 1))
    )
    colors = ThemeColors(of: widget)
    let context = gtk_widget_get_style_context(widget)
    gtk_style_context_get_color(context, &foreground)
  }

  func draw(on context: OpaquePointer) {
    let layout = made(gtk_widget_create_pango_layout(widget, nil))
    defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
    setFont(of: layout)
    for y in 0..<grid.size.height { drawRow(y, with: layout, on: context) }
  }

  /// Chooses the size at which a letter of the monospaced font fills a cell.
  private func setFont(of layout: OpaquePointer) {
    let font = made(pango_font_description_from_string("Monospace 12"))
    defer { pango_font_description_free(font) }
    pango_layout_set_font_description(layout, font)
    pango_layout_set_text(layout, "M", -1)
    var (width, height): (gint, gint) = (0, 0)
    pango_layout_get_size(layout, &width, &height)
    let scale = Double(PANGO_SCALE)
    let factor = min(
      cell.width * scale / Double(max(width, 1)), cell.height * scale / Double(max(height, 1)))
    pango_font_description_set_size(font, gint(12 * scale * factor))
    pango_layout_set_font_description(layout, font)
  }

  private func drawRow(_ y: Int, with layout: OpaquePointer, on context: OpaquePointer) {
    var x = 0
    while x < grid.size.width {
      let start = x
      let style = grid[Point(x: x, y: y)].style
      var text = ""
      var cells = 0
      // Characters that are not ASCII may have another width in the font, so each is placed alone.
      repeat {
        let cell = grid[Point(x: x, y: y)]
        if cells > 0, !cell.character.isASCII || cell.style != style { break }
        text.append(cell.character)
        cells += max(cell.width, 1)
        x += max(cell.width, 1)
        if !cell.character.isASCII { break }
      } while x < grid.size.width
      draw(text, at: (start, y), cells: cells, style: style, with: layout, on: context)
    }
  }

  private func draw(
    _ text: String, at place: (x: Int, y: Int), cells: Int, style: TextStyle,
    with layout: OpaquePointer, on context: OpaquePointer
  ) {
    var (front, back) = (colors.foreground(of: style), style.background.parts)
    let isReversed = style.effects.contains(.reverse)
    if isReversed {
      (front, back) = (back ?? colors.window, front ?? ColorParts(foreground))
    }
    let (left, top) = (Double(place.x) * cell.width, Double(place.y) * cell.height)
    if let back {
      cairo_set_source_rgb(context, back.red, back.green, back.blue)
      cairo_rectangle(context, left, top, Double(cells) * cell.width, cell.height)
      cairo_fill(context)
    }
    if text.allSatisfy({ $0 == " " }) && !style.effects.contains(.underline) { return }
    let color = front ?? ColorParts(foreground)
    cairo_set_source_rgba(
      context, color.red, color.green, color.blue, style.effects.contains(.dim) ? 0.6 : 1)
    let attributes = made(pango_attr_list_new())
    defer { pango_attr_list_unref(attributes) }
    TextAttributes.add(style.effects, to: attributes)
    pango_layout_set_attributes(layout, attributes)
    pango_layout_set_text(layout, text, gint(text.utf8.count))
    var height: gint = 0
    pango_layout_get_pixel_size(layout, nil, &height)
    cairo_move_to(context, left, top + (cell.height - Double(height)) / 2)
    pango_cairo_show_layout(context, layout)
  }
}
#endif
