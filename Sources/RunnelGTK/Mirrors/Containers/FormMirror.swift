#if GTK
import CGTK
import RunnelDesk
import RunnelText

/// The labels and validation messages of a form. The controls are views of their own.
final class FormMirror: ViewMirror {
  private let form: Form
  private let body = Container(name: "box")
  private var labels: [Widget] = []
  /// The space on both sides of a label in its widget.
  private static let labelPadding = 8
  private var messages: [Widget] = []
  /// The rows in pixels; nil while the form is placed in cells.
  private var measuredRows: [FormLayout.Row]?

  init(_ form: Form, in window: WindowMirror) {
    self.form = form
    super.init(form, in: window, body: body)
    // Safety: `Container.end()` releases the closure before this object is released.
    body.place = { [unowned self] width, _ in placeParts(width: width) }
  }

  override func update() {
    super.update()
    let rows = form.rows
    resize(&labels, to: rows.count, name: "runnel-label")
    resize(&messages, to: rows.count, name: "runnel-invalid")
    for (row, (label, message)) in zip(rows, zip(labels, messages)) {
      gtk_label_set_text(cast(label), row.text)
      gtk_label_set_xalign(cast(label), form.labelAlignment.fraction)
      gtk_widget_set_sensitive(label, row.control.isAvailable.gboolean)
      gtk_label_set_text(cast(message), row.message.joined(separator: "\n"))
      gtk_widget_set_visible(message, (!row.message.isEmpty).gboolean)
    }
    gtk_widget_queue_allocate(body.widget)
  }

  private func resize(_ labels: inout [Widget], to count: Int, name: String) {
    while labels.count > count { gtk_widget_unparent(labels.removeLast()) }
    while labels.count < count {
      let label = made(gtk_label_new(nil))
      gtk_widget_add_css_class(label, name)
      gtk_label_set_xalign(cast(label), 0)
      gtk_label_set_ellipsize(cast(label), PANGO_ELLIPSIZE_END)
      body.add(label)
      labels.append(label)
    }
  }

  private func placeParts(width: Int) {
    let isMeasured = measuredRows != nil
    let end = isMeasured ? width : form.bounds.width
    let line = isMeasured ? window.metrics.pixels(rows: 1) : 1
    func give(_ place: Rect, to label: Widget) {
      Container.give(isMeasured ? GtkAllocation(place) : pixels(of: place), to: label)
    }
    for (index, row) in (measuredRows ?? form.rows).enumerated() where index < labels.count {
      var place = row.label
      // The free columns between labels and controls leave room for letters that are wider than their cells.
      if !isMeasured { place.size.width += 1 }
      give(place, to: labels[index])
      if row.message.isEmpty { continue }
      let frame = row.frame
      let message = Rect(
        x: frame.minX, y: frame.maxY, width: end - frame.minX, height: row.message.count * line)
      give(message, to: messages[index])
    }
  }

  // MARK: - Pixels

  override var isMeasured: Bool {
    form.spacing.isMeasured || children.contains(where: \.isMeasured)
  }

  private func layout(in room: Size) -> FormLayout {
    let metrics = window.metrics
    // Messages are wrapped as in cells, because they are shown before they are placed.
    let columns = form.bounds.width - (form.rows.first?.frame.minX ?? 0)
    return form.layout(
      FormLayout.Measure(
        gap: window.pixels(.section, along: .horizontal), row: window.controlHeight,
        line: metrics.pixels(rows: 1),
        spacing: window.pixels(form.spacing, along: .vertical),
        labelWidth: { [container] in pixelWidth(of: $0, in: container.widget) + Self.labelPadding },
        extent: { [children] view, room in
          children.first { $0.view === view }?.wanted(in: room) ?? Extent(width: 0, height: 0)
        },
        columns: { columns > 0 ? columns : metrics.cells(width: $0, height: 0).width }), in: room)
  }

  override func arrangement(in size: Size) -> [Rect]? {
    measuredRows = nil
    guard isMeasured else { return nil }
    let layout = layout(in: size)
    if let height = layout.wanted.height, height > size.height { return nil }
    let isEnough = zip(layout.rows, children).allSatisfy { row, child in
      row.frame.height >= child.leastHeight
    }
    if !isEnough || layout.rows.count != children.count { return nil }
    measuredRows = layout.rows
    return layout.rows.map(\.frame)
  }

  override func cell(x: Double, y: Double) -> Point {
    let index = measuredRows?.firstIndex { $0.label.contains(Point(x: Int(x), y: Int(y))) }
    guard let index, form.rows.indices.contains(index) else { return super.cell(x: x, y: y) }
    let (label, origin) = (form.rows[index].label, form.frameInWindow.origin)
    return Point(x: label.minX + origin.x, y: label.minY + origin.y)
  }

  override func wanted(in room: Size) -> Extent {
    let extent = wantedCells(in: room)
    guard isMeasured else { return extent }
    let measured = layout(in: room).wanted
    return Extent(
      width: form.width == nil ? measured.width : extent.width,
      height: form.height == nil ? measured.height : extent.height)
  }

  override func texts() -> [(cell: Point, text: String)] {
    zip(form.rows, zip(labels, messages)).flatMap { row, parts in
      let label = text(of: gtk_label_get_text(cast(parts.0)))
      let free = max(row.label.width - label.cellWidth, 0)
      let indent = Int(Float(free) * form.labelAlignment.fraction)
      let lines = text(of: gtk_label_get_text(cast(parts.1))).split(separator: "\n")
      return [(Point(x: row.label.minX + indent, y: row.label.minY), label)]
        + lines.enumerated().map { index, line in
          (Point(x: row.frame.minX, y: row.frame.maxY + index), String(line))
        }
    }
  }
}

/// Returns the width of a text in the font of a widget.
@MainActor
private func pixelWidth(of text: String, in widget: Widget) -> Int {
  let layout: OpaquePointer = made(gtk_widget_create_pango_layout(widget, text.withoutZeros))
  defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
  var width: gint = 0
  pango_layout_get_pixel_size(layout, &width, nil)
  return Int(width)
}
#endif
