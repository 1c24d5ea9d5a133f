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
  private var listHeight = 0
  /// The pixels of the first visible line that are scrolled out.
  private var hidden = 0.0
  /// The state of the table for which ``hidden`` is right. The keyboard shows whole lines.
  private var hiddenState: (top: Int, selection: RangeSet<Int>)?
  private var touchScroll: TouchScroll?

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
    body.place = { [unowned self] _, height in placeParts(height: height) }
    list.place = { [unowned self] _, _ in placeRows() }
    signals.connect(scrollBar.adjustment, "value-changed") { [weak self] _ in self?.scrolled() }
    touchScroll = TouchScroll(over: body.widget) { [weak self] in self?.scroll(by: $0) ?? false }
  }

  // MARK: - Scrolling

  private func scrolled() {
    if !isUpdating { scroll(to: scrollBar.position * metrics.height) }
  }

  /// Scrolls by a number of pixels. Returns false at an end of the table.
  @discardableResult
  func scroll(by pixels: Double) -> Bool {
    let place = Double(table.scrollPosition) * metrics.height + hidden
    scroll(to: place + pixels)
    return Double(table.scrollPosition) * metrics.height + hidden != place
  }

  /// Scrolls to a number of pixels below the top of the first line.
  private func scroll(to place: Double) {
    let height = metrics.height
    let most = Double(table.lines.count) * height - Double(listHeight)
    let place = min(max(place, 0), max(most, 0))
    table.scrollPosition = Int(place / height)
    hidden = max(place - Double(table.scrollPosition) * height, 0)
    hiddenState = (table.scrollPosition, table.selectedRows)
    gtk_widget_queue_allocate(list.widget)
    window.backend.needsDisplay()
  }

  /// Shows whole lines again after the table has been scrolled, or something selected, in another way.
  private func forgetHiddenPart() {
    if hidden == 0 { return }
    if let state = hiddenState, state == (table.scrollPosition, table.selectedRows) { return }
    hidden = 0
  }

  override var takesTouch: Bool { table.overflows }

  // MARK: - Updating

  override func update() {
    super.update()
    forgetHiddenPart()
    let lines = shownLines
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
      row.set(isWhole ? [0..<table.contentWidth] : ranges, metrics: metrics)
    }
    table.forgetUnseenRows()
    gtk_widget_set_visible(placeholder, (table.lines.count == 0).gboolean)
    gtk_label_set_text(cast(placeholder), table.placeholder)
    scrollBar.show(
      table.indicator, part: hidden / metrics.height, isVisible: table.overflows)
    gtk_widget_queue_allocate(body.widget)
    gtk_widget_queue_allocate(list.widget)
  }

  /// The visible lines, and those that are cut off below them.
  private var shownLines: Range<Int> {
    let lines = table.visibleLines
    let room = (Double(listHeight) + hidden) / metrics.height
    let count = max(lines.count, Int(room.rounded(.up)))
    return lines.lowerBound..<min(lines.lowerBound + count, table.lines.count)
  }

  private func select(_ row: TableRowWidget) {
    let (shown, lines) = (rows.firstIndex { $0 === row }, shownLines)
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

  /// Rows are as high as the font wants, also if the table has fewer pixels than its cells.
  override var metrics: CellMetrics {
    var metrics = super.metrics
    metrics.height = max(metrics.height, window.metrics.height)
    return metrics
  }

  private func fit(height: Int) {
    let count = Int((Double(height) + 0.5) / metrics.height)
    table.measuredHeight = count < table.bounds.height ? count : nil
    let listHeight = max(height - metrics.pixels(rows: table.headerHeight), 0)
    if listHeight == self.listHeight { return }
    self.listHeight = listHeight
    window.backend.needsDisplay()
  }

  private func placeParts(height: Int) {
    fit(height: height)
    let (bounds, top) = (table.bounds, table.headerHeight)
    // The table may have changed since the last update: each visible part needs a place.
    if Bool(gtk_widget_get_visible(header.widget)) {
      let place = Rect(x: 0, y: 0, width: table.contentWidth, height: 1)
      Container.give(pixels(of: place), to: header.widget)
    }
    func fill(_ x: Int, width: Int, with widget: Widget) {
      var area = pixels(of: Rect(x: x, y: top, width: width, height: table.viewport))
      area.height = max(gint(height) - area.y, 0)
      Container.give(area, to: widget)
    }
    fill(0, width: table.contentWidth, with: list.widget)
    if Bool(gtk_widget_get_visible(placeholder)) {
      fill(0, width: table.contentWidth, with: placeholder)
    }
    if Bool(gtk_widget_get_visible(scrollBar.widget)) {
      fill(bounds.width - 1, width: 1, with: scrollBar.widget)
    }
  }

  private func placeRows() {
    for (index, row) in rows.enumerated() {
      let place = Rect(x: 0, y: index, width: table.contentWidth, height: 1)
      var area = pixels(of: place)
      area.y -= gint(hidden.rounded())
      Container.give(area, to: row.widget)
    }
  }

  override func ownCell(x: Double, y: Double) -> Point {
    let top = Double(metrics.pixels(rows: table.headerHeight))
    return super.ownCell(x: x, y: y < top ? y : y + hidden)
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
    for (index, row) in rows.prefix(table.viewport).enumerated() {
      add(row, at: index + table.headerHeight)
    }
    if table.lines.count == 0 { texts.append((Point(x: 0, y: 1), table.placeholder)) }
    return texts
  }

  override func end() {
    touchScroll?.end()
    super.end()
    for row in rows { row.end() }
    header.end()
    rows = []
    list.end()
  }
}
#endif
