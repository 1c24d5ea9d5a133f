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
  /// The line that the first of the rows shows.
  private var firstLine = 0
  /// The row that is selected, or was selected last; nil if it is not visible.
  private var currentRow: TableRowWidget?
  /// The selected row when the widgets were updated last.
  private var describedRow: Int?
  private let placeholder = made(gtk_label_new(nil))
  private let scrollBar = RowScrollBar()
  private var listHeight = 0
  /// The part of the first visible line that is scrolled out; nil if all of it is visible.
  private var cutOff: CutOff?
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

  /// A part of a line that is scrolled out, and the state of the table in which it is.
  private struct CutOff {
    var part: Double
    var top: Int
    var selection: RangeSet<Int>
  }

  /// The number of lines that are scrolled out, with a part of one.
  private var position: Double { Double(table.scrollPosition) + (cutOff?.part ?? 0) }
  /// The number of lines that fit, with a part of one.
  private var page: Double { Double(listHeight) / metrics.height }
  /// The pixels of the first visible line that are scrolled out.
  private var cutOffPixels: Double { (cutOff?.part ?? 0) * metrics.height }

  private func scrolled() {
    if !isUpdating { scroll(to: scrollBar.position) }
  }

  /// Scrolls by a number of pixels. Returns false at an end of the table.
  @discardableResult
  func scroll(by pixels: Double) -> Bool {
    let former = position
    scroll(to: former + pixels / metrics.height)
    return !isEnded && position != former
  }

  /// Scrolls out a number of lines, with a part of one.
  private func scroll(to wanted: Double) {
    let place = min(max(wanted, 0), max(Double(table.lines.count) - page, 0))
    table.scrollPosition = Int(place)
    // The delegate may have ended the application.
    if isEnded { return }
    let part = place - Double(table.scrollPosition)
    cutOff =
      part > 0
      ? CutOff(part: part, top: table.scrollPosition, selection: table.selectedRows) : nil
    gtk_widget_queue_allocate(container.widget)
    gtk_widget_queue_allocate(list.widget)
    window.backend.needsDisplay()
  }

  /// Shows whole lines again if the table was scrolled in another way, if the line that is cut off was selected, or
  /// if there is room now.
  private func fitCutOff() {
    guard let state = cutOff else { return }
    let selected = table.selectedRow.map { table.lines.line(ofRow: $0) }
    let isSelected = selected == state.top && state.selection != table.selectedRows
    let most = Double(table.lines.count - state.top) - page
    if state.top == table.scrollPosition && !isSelected && most > 0 {
      cutOff?.part = min(state.part, most)
      return
    }
    touchScroll?.stop()
    cutOff = nil
  }

  override var takesTouch: Bool { table.overflows }

  // MARK: - Updating

  override func update() {
    super.update()
    runnel_set_label(list.widget, "Rows")
    gtk_widget_set_css_class(body.widget, "runnel-inactive", !table.hasFocus)
    fitCutOff()
    let lines = shownLines
    gtk_widget_set_visible(header.widget, table.showsHeader.gboolean)
    header.show(headerTexts, isHeading: true)
    moveRows(to: lines.lowerBound)
    while rows.count > lines.count { rows.removeLast().end() }
    while rows.count < lines.count {
      let row = TableRowWidget(name: "row")
      gtk_widget_set_focusable(row.widget, 1)
      row.actions = WidgetActions(
        "row", of: row.widget,
        ["select": { [weak self, weak row] in row.map { self?.select($0) } }])
      list.add(row.widget)
      rows.append(row)
    }
    for (row, line) in zip(rows, lines) { show(line, in: row) }
    findCurrentRow()
    let ranges = table.columnRanges
    for row in [header] + rows {
      let isWhole = row.isHeading && row !== header
      row.set(isWhole ? [0..<table.contentWidth] : ranges)
    }
    table.forgetUnseenRows()
    gtk_widget_set_visible(placeholder, (table.lines.count == 0).gboolean)
    gtk_label_set_text(cast(placeholder), table.placeholder)
    scrollBar.show(
      table.indicator, part: cutOff?.part ?? 0, page: page, isVisible: table.overflows)
    gtk_widget_queue_allocate(body.widget)
    gtk_widget_queue_allocate(list.widget)
  }

  /// Lets the widgets of lines that stay visible show the same lines, so that assistive technology does not take a
  /// row for another one.
  private func moveRows(to line: Int) {
    let distance = line - firstLine
    firstLine = line
    if distance == 0 || abs(distance) >= rows.count { return }
    if distance > 0 {
      for row in rows.prefix(distance) { gtk_widget_insert_before(row.widget, list.widget, nil) }
    } else {
      for row in rows.suffix(-distance).reversed() {
        gtk_widget_insert_after(row.widget, list.widget, nil)
      }
    }
    let first = distance > 0 ? distance : rows.count + distance
    rows = Array(rows[first...] + rows[..<first])
  }

  private func findCurrentRow() {
    let index = table.selectedRow.map { table.lines.line(ofRow: $0) - firstLine }
    currentRow = index.flatMap { rows.indices.contains($0) ? rows[$0] : nil }
    if let row = currentRow, table.selectedRow != describedRow, !table.isFirstResponder {
      window.describeFocus(row.name)
    }
    describedRow = table.selectedRow
    guard currentRow == nil, let focus = gtk_window_get_focus(cast(window.widget)) else { return }
    // The row that has the focus of GTK now shows another line.
    if rows.contains(where: { $0.widget == focus }) { gtk_widget_grab_focus(body.widget) }
  }

  /// The selected row, so that assistive technology reads it.
  override var focusWidget: Widget { currentRow?.widget ?? body.widget }
  override var describedWidget: Widget { body.widget }

  /// The visible lines, and those that are cut off below them.
  private var shownLines: Range<Int> {
    let lines = table.visibleLines
    // Whole lines fill the cells of the table.
    if table.measuredHeight == nil && cutOff == nil { return lines }
    let room = page + ((cutOffPixels - Self.rounding) / metrics.height)
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

  /// Rows are as high as the font wants, also if the table has fewer or more pixels than its cells.
  override var metrics: CellMetrics {
    var metrics = super.metrics
    metrics.height = window.metrics.height
    return metrics
  }

  /// The pixels by which rounded edges may change a height.
  private static let rounding = 2.0

  private func fit(height: Int) {
    let count = Int((Double(height) + Self.rounding) / metrics.height)
    table.measuredHeight = count == table.bounds.height ? nil : count
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
      header.columnWidth = metrics.width
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
    let columnWidth = metrics.width
    for (index, row) in rows.enumerated() {
      row.columnWidth = columnWidth
      let place = Rect(x: 0, y: index, width: table.contentWidth, height: 1)
      var area = pixels(of: place)
      area.y -= gint(cutOffPixels.rounded())
      Container.give(area, to: row.widget)
    }
  }

  override func cell(x: Double, y: Double) -> Point {
    let top = Double(metrics.pixels(rows: table.headerHeight))
    return super.cell(x: x, y: y < top ? y : y + cutOffPixels)
  }

  /// Views in the table, such as a field over a cell, move with the lines.
  override func arrangement(in size: Size) -> [Rect]? {
    children.map {
      Rect(pixels(of: $0.view.frame)).offset(byX: 0, y: -Int(cutOffPixels.rounded()))
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
    for (index, row) in rows.prefix(table.viewport).enumerated() {
      add(row, at: index + table.headerHeight)
    }
    if table.lines.count == 0 { texts.append((Point(x: 0, y: 1), table.placeholder)) }
    return texts
  }

  override func end() {
    touchScroll?.end()
    table.measuredHeight = nil
    super.end()
    for row in rows { row.end() }
    header.end()
    rows = []
    currentRow = nil
    list.end()
  }
}
#endif
