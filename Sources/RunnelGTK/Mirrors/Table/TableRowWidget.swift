#if GTK
import CGTK
import RunnelDesk

/// The text of a cell as its label shows it.
struct TableCellText: Equatable {
  var cell: TableCell
  var alignment: TextAlignment
  /// Text before that of the cell, such as the triangle of an outline.
  var prefix: String

  init(_ cell: TableCell, alignment: TextAlignment = .leading, prefix: String = "") {
    self.cell = cell
    self.alignment = alignment
    self.prefix = prefix
  }

  init(_ text: String) {
    self.init(TableCell(text))
  }
}

/// The widgets of a visible row: a label for each column.
@MainActor
final class TableRowWidget {
  let isHeader: Bool
  private let container: Container
  private var labels: [Widget] = []
  private var triangle: Widget?
  private var shown: [TableCellText] = []
  /// The colours of the theme for which the cells are shown.
  private var colors: ThemeColors?
  private(set) var isHeading = false
  private var ranges: [Range<Int>] = []
  /// The pixels of a column of cells.
  var columnWidth = 1.0 {
    didSet { if columnWidth != oldValue { gtk_widget_queue_allocate(widget) } }
  }
  var actions: WidgetActions?

  init(name: String) {
    isHeader = name == "header"
    container = Container(
      name: name,
      role: isHeader ? GTK_ACCESSIBLE_ROLE_GENERIC : GTK_ACCESSIBLE_ROLE_ROW)
    // Safety: `Container.end()` releases the closure before this object is released.
    container.place = { [unowned self] _, height in placeLabels(height: height) }
  }

  var widget: Widget { container.widget }

  var texts: [String] { shown.map { $0.prefix + $0.cell.text } }

  /// The name for assistive technology.
  var name: String { texts.filter { !$0.isEmpty }.joined(separator: ", ") }

  func show(_ cells: [TableCellText], isHeading: Bool, theme: Theme = .standard) {
    let colors = ThemeColors(of: widget)
    let hasNewColors = exchange(&self.colors, with: colors) != colors
    if cells == shown && isHeading == self.isHeading && !hasNewColors { return }
    if labels.count != cells.count || isHeading != self.isHeading {
      makeLabels(cells.count, isHeading)
    }
    for (index, cell) in cells.enumerated() {
      let isSame = index < shown.count && shown[index] == cell && !hasNewColors
      if !isSame { show(cell, in: labels[index], theme, colors) }
    }
    shown = cells
    showTriangle(cells.first?.prefix.last { $0 != " " })
    self.isHeading = isHeading
    runnel_set_label(widget, name)
    gtk_widget_queue_allocate(widget)
  }

  private func makeLabels(_ count: Int, _ isHeading: Bool) {
    for label in labels { gtk_widget_unparent(label) }
    shown = []
    labels = (0..<count).map { _ in
      // GTK tells AT-SPI nothing about the role of a column header.
      let label = made(
        runnel_new_widget(
          gtk_label_get_type(), "cell",
          isHeading ? GTK_ACCESSIBLE_ROLE_HEADING : GTK_ACCESSIBLE_ROLE_CELL))
      gtk_widget_add_css_class(label, isHeading ? "runnel-header" : "runnel-text")
      gtk_label_set_ellipsize(cast(label), PANGO_ELLIPSIZE_END)
      gtk_label_set_single_line_mode(cast(label), 1)
      container.add(label)
      return label
    }
  }

  private func showTriangle(_ character: Character?) {
    guard let character else {
      if let triangle { gtk_widget_set_visible(triangle, 0) }
      return
    }
    let image = triangle ?? made(gtk_image_new())
    if triangle == nil { container.add(image) }
    triangle = image
    gtk_widget_set_visible(image, 1)
    gtk_image_set_from_icon_name(
      cast(image), character == "▾" ? "pan-down-symbolic" : "pan-end-symbolic")
  }

  private func show(_ text: TableCellText, in label: Widget, _ theme: Theme, _ colors: ThemeColors)
  {
    // The text of one row may be very long, and only its beginning is visible.
    let whole = String(text.cell.text.prefix(500))
    gtk_label_set_text(cast(label), whole.withoutZeros)
    gtk_label_set_xalign(cast(label), text.alignment.fraction)
    gtk_widget_set_css_class(label, "runnel-trailing", text.alignment == .trailing)
    var styles: [(range: Range<Int>, style: TextStyle)] = []
    if case .custom(let style) = text.cell.style { styles.append((0..<whole.utf8.count, style)) }
    for highlight in text.cell.highlights {
      guard let range = text.cell.text.byteRange(highlight) else { continue }
      styles.append((range, theme.highlight))
    }
    let attributes = TextAttributes.list(styles, colors)
    gtk_label_set_attributes(cast(label), attributes)
    pango_attr_list_unref(attributes)
    gtk_widget_set_css_class(label, "dim-label", text.cell.style == .faint)
  }

  /// Sets the ranges of columns in which the labels are.
  func set(_ ranges: [Range<Int>]) {
    if ranges == self.ranges { return }
    self.ranges = ranges
    gtk_widget_queue_allocate(widget)
  }

  private func placeLabels(height: Int) {
    for (index, (label, range)) in zip(labels, ranges).enumerated() {
      gtk_widget_set_child_visible(label, (!range.isEmpty).gboolean)
      let text = index < shown.count ? shown[index] : TableCellText("")
      // Deep levels of an outline share the left half of a narrow column.
      let indentation = min(max(text.prefix.count - 2, 0), range.count / 2)
      let used = text.prefix.isEmpty ? 0 : min(indentation + 2, range.count)
      place(label, in: room(for: text, from: range.lowerBound + used, in: range), height: height)
      if index == 0, let triangle, Bool(gtk_widget_get_visible(triangle)) {
        let start = range.lowerBound + indentation
        place(triangle, in: start..<min(start + 2, max(range.upperBound, start)), height: height)
      }
    }
  }

  /// Returns the columns of a label. The letters of a proportional font may be wider than their
  /// cells, so text also gets the free column between it and its neighbour.
  private func room(for text: TableCellText, from start: Int, in range: Range<Int>) -> Range<Int> {
    let end = max(range.upperBound, start)
    if text.alignment == .trailing { return max(start - 1, 0)..<end }
    return start..<(range == ranges.last ? end : end + 1)
  }

  private func place(_ widget: Widget, in columns: Range<Int>, height: Int) {
    let left = (Double(columns.lowerBound) * columnWidth).rounded()
    let width = (Double(columns.upperBound) * columnWidth).rounded() - left
    Container.give(
      GtkAllocation(x: gint(left), y: 0, width: gint(width), height: gint(height)), to: widget)
  }

  func end() {
    actions?.end()
    container.end()
    labels = []
  }
}
#endif
