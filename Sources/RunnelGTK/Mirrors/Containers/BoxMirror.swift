#if GTK
import CGTK
import RunnelDesk

/// A frame around a view, below its title.
final class BoxMirror: ViewMirror {
  private let box: Box
  private let body = Container(name: "box", role: GTK_ACCESSIBLE_ROLE_GROUP)
  private let frame = made(gtk_frame_new(nil))
  private let title = made(gtk_label_new(nil))

  init(_ box: Box, in window: WindowMirror) {
    self.box = box
    super.init(box, in: window, body: body)
    gtk_widget_add_css_class(title, "runnel-title")
    gtk_label_set_xalign(cast(title), 0)
    gtk_label_set_ellipsize(cast(title), PANGO_ELLIPSIZE_END)
    body.add(frame)
    body.add(title)
    // Safety: `Container.end()` releases the closure before this object is released.
    body.place = { [unowned self] in placeParts(width: $0, height: $1) }
  }

  override func update() {
    super.update()
    gtk_label_set_text(cast(title), box.title)
    gtk_widget_set_visible(title, (!box.title.isEmpty).gboolean)
    runnel_set_label(body.widget, box.title)
    gtk_widget_queue_allocate(body.widget)
  }

  /// The frame begins below the title, and otherwise in the middle of the cells of the border.
  private func placeParts(width: Int, height: Int) {
    let (column, row) = (Int(window.metrics.width), Int(window.metrics.height))
    let top = box.title.isEmpty ? row / 2 : row - 3
    let area = GtkAllocation(
      x: gint(column / 2), y: gint(top), width: gint(width - column),
      height: gint(height - top - row / 2 + 2))
    let isVisible = area.width > 0 && area.height > 0
    gtk_widget_set_child_visible(frame, isVisible.gboolean)
    if isVisible { Container.give(area, to: frame) }
    let room = GtkAllocation(
      x: gint(column), y: 0, width: gint(width - 2 * column), height: gint(row - 3))
    if !box.title.isEmpty { Container.give(room, to: title) }
  }

  /// The border, in pixels.
  private var margins: Margins {
    let (columns, rows) = (window.metrics.pixels(columns: 2), window.metrics.pixels(rows: 1))
    return Margins(top: rows, left: columns, bottom: rows, right: columns)
  }

  override func arrangement(in size: Size) -> [Rect]? {
    isMeasured ? [Rect(origin: .zero, size: size).inset(by: margins)] : nil
  }

  override func wanted(in room: Size) -> Extent {
    var extent = wantedCells(in: room)
    guard isMeasured else { return extent }
    let content = children[0].wanted(in: room.inset(by: margins)).outset(by: margins)
    if box.height == nil { extent.height = content.height }
    if box.width == nil, let width = content.width { extent.width = max(extent.width ?? 0, width) }
    return extent
  }

  override func texts() -> [(cell: Point, text: String)] {
    [(Point(x: 2, y: 0), text(of: gtk_label_get_text(cast(title))))]
  }
}
#endif
