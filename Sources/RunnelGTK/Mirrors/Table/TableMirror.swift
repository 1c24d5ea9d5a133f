#if GTK
import CGTK
import RunnelDesk

/// Rows in columns below a header.
///
/// There are widgets for the visible lines only. The table knows which lines these are, so a change
/// of a million rows costs no more than one of ten.
final class TableMirror: ViewMirror {
  private let table: TableView
  private let body = Container(name: "columnview", role: GTK_ACCESSIBLE_ROLE_TABLE)
  private let list = Container(name: "listview", role: GTK_ACCESSIBLE_ROLE_ROW_GROUP)
  private let header = TableRowWidget(name: "header")
  private var rows: [TableRowWidget] = []
  private let placeholder = made(gtk_label_new(nil))
  private let scrollBar = RowScrollBar()

  init(_ table: TableView, in window: WindowMirror) {
    self.table = table
    super.init(table, in: window, body: body)
    gtk_widget_set_focusable(body.widget, 1)
    gtk_widget_add_css_class(body.widget, "view")
    gtk_widget_add_css_class(list.widget, "view")
    gtk_widget_add_css_class(placeholder, "dim-label")
    gtk_label_set_justify(cast(placeholder), GTK_JUSTIFY_CENTER)
    for widget in [header.widget, list.widget, placeholder, scrollBar.widget] { body.add(widget) }
    // Safety: `Container.end()` releases the closures before this object is released.
    body.place = { [unowned self] _, _ in placeParts() }
    list.place = { [unowned self] _, _ in placeRows() }
    signals.connect(scrollBar.adjustment, "value-changed") { [weak self] _ in self?.scrolled() }
  }

  private func scrolled() {
    if isUpdating { return }
    table.scrollPosition = scrollBar.top
    window.backend.needsDisplay()
  }

  // MARK: - Updating

  override func update() {
    super.update()
    runnel_set_label(list.widget, "Rows")
    gtk_widget_set_css_class(body.widget, "runnel-inactive", !table.hasFocus)
    let lines = table.visibleLines
    gtk_widget_set_visible(header.widget, table.showsHeader.gboolean)
    header.show(headerTexts, isHeading: true)
    while rows.count > lines.count { rows.removeLast().end() }
    while rows.count < lines.count {
      let row = TableRowWidget(name: "row")
      row.actions = WidgetActions(
        "row", of: row.widget,
        ["select": { [weak self, weak row] in row.map { self?.select($0) } }])
      list.add(row.widget)
      rows.append(row)
    }
    for (row, line) in zip(rows, lines) { show(line, in: row) }
    let ranges = table.columnRanges
    for row in [header] + rows {
      let isWhole = row.isHeading && row !== header
      row.set(isWhole ? [0..<table.contentWidth] : ranges, metrics: window.metrics)
    }
    table.forgetUnseenRows()
    gtk_widget_set_visible(placeholder, (table.lines.count == 0).gboolean)
    gtk_label_set_text(cast(placeholder), table.placeholder)
    scrollBar.show(table.indicator, isVisible: table.overflows)
    gtk_widget_queue_allocate(body.widget)
    gtk_widget_queue_allocate(list.widget)
  }

  private func select(_ row: TableRowWidget) {
    let (shown, lines) = (rows.firstIndex { $0 === row }, table.visibleLines)
    guard let shown, shown < lines.count, table.isAvailable,
      case .row(let number) = table.lines[lines.lowerBound + shown]
    else { return }
    table.propose(selectedRows: RangeSet(number..<number + 1))
  }

  private func show(_ line: Int, in row: TableRowWidget) {
    // The data source may change the rows when it is asked.
    guard line < table.lines.count else { return row.show([], isHeading: false) }
    switch table.lines[line] {
    case .heading(let section):
      let title = table.dataSource?.tableView(table, titleOfSection: section) ?? ""
      row.show([.init(title)], isHeading: true)
      row.widget.setState(GTK_STATE_FLAG_SELECTED, false)
    case .row(let number):
      let shown = table.shown(number)
      row.show(
        table.columns.enumerated().map { index, column in
          let cell = shown[column.identifier]
          let triangle = index == 0 ? table.outline?.triangle(ofRow: number) : nil
          return TableCellText(cell, alignment: column.alignment, prefix: triangle ?? "")
        }, isHeading: false, theme: window.backend.application?.theme ?? .standard)
      let isSelected = table.selectedRows.contains(number)
      row.widget.setState(GTK_STATE_FLAG_SELECTED, isSelected)
      runnel_set_selected(row.widget, isSelected.gboolean)
    }
  }

  private var headerTexts: [TableCellText] {
    table.columns.map { column in
      var title = column.title
      if let sort = table.sort, sort.column == column.identifier {
        title += sort.isAscending ? " ▲" : " ▼"
      }
      let isMarked = column.identifier == table.markedColumn && table.hasFocus
      return TableCellText(TableCell(isMarked ? "▸ \(title)" : title), alignment: column.alignment)
    }
  }

  // MARK: - Placing

  private var origin: Point { window.origin(of: table) }

  private func placeParts() {
    let (bounds, top) = (table.bounds, table.headerHeight)
    let metrics = window.metrics
    // The table may have changed since the last update: each visible part needs a place.
    if Bool(gtk_widget_get_visible(header.widget)) {
      let place = Rect(x: 0, y: 0, width: table.contentWidth, height: 1)
      Container.give(metrics.pixels(of: place, in: origin), to: header.widget)
    }
    let inside = Rect(x: 0, y: top, width: table.contentWidth, height: table.viewport)
    Container.give(metrics.pixels(of: inside, in: origin), to: list.widget)
    if Bool(gtk_widget_get_visible(placeholder)) {
      Container.give(metrics.pixels(of: inside, in: origin), to: placeholder)
    }
    if Bool(gtk_widget_get_visible(scrollBar.widget)) {
      let edge = Rect(x: bounds.width - 1, y: top, width: 1, height: table.viewport)
      Container.give(metrics.pixels(of: edge, in: origin), to: scrollBar.widget)
    }
  }

  private func placeRows() {
    let metrics = window.metrics
    let start = Point(x: origin.x, y: origin.y + table.headerHeight)
    for (index, row) in rows.enumerated() {
      let place = Rect(x: 0, y: index, width: table.contentWidth, height: 1)
      Container.give(metrics.pixels(of: place, in: start), to: row.widget)
    }
  }

  // MARK: - Input

  override func handlesMouse(at cell: Point) -> Bool {
    table.overflows && cell.x >= table.contentWidth && cell.y >= table.headerHeight
  }

  override func texts() -> [(cell: Point, text: String)] {
    var texts: [(cell: Point, text: String)] = []
    func add(_ row: TableRowWidget, at y: Int) {
      let ranges = row.isHeading && row !== header ? [0..<table.contentWidth] : table.columnRanges
      for (text, range) in zip(row.texts, ranges) where !range.isEmpty {
        let cut = Painter.fitted(text, into: range.count)
        texts.append((Point(x: range.lowerBound, y: y), cut))
      }
    }
    if table.showsHeader { add(header, at: 0) }
    for (index, row) in rows.enumerated() { add(row, at: index + table.headerHeight) }
    if table.lines.count == 0 { texts.append((Point(x: 0, y: 1), table.placeholder)) }
    return texts
  }

  override func end() {
    super.end()
    for row in rows { row.end() }
    header.end()
    rows = []
    list.end()
  }
}
#endif
