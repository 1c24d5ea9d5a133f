extension TableView {
  /// How many lines are scrolled out above. Lines are rows and the headings of sections.
  public var scrollPosition: Int {
    get { top }
    set {
      setTop(newValue)
      tellVisibleRows()
    }
  }

  /// The rows that can be seen.
  public var visibleRows: Range<Int> { lines.rows(inLines: visibleLines) }

  /// Scrolls no further than it takes to have a row be seen.
  public func scrollToRow(_ row: Int) {
    guard (0..<rowCount).contains(row) else { return }
    guard viewport > 0 else { return awaitedRow = row }
    reveal(row)
    tellVisibleRows()
  }

  /// How many lines there is room for.
  var viewport: Int { max(bounds.height - headerHeight, 0) }

  var headerHeight: Int { showsHeader ? 1 : 0 }

  /// The lines that can be seen.
  var visibleLines: Range<Int> {
    let start = min(top, lines.count)
    return start..<min(start + viewport, lines.count)
  }

  /// Whether there are more lines than there is room for.
  var overflows: Bool { lines.count > viewport }

  private func setTop(_ line: Int) {
    let new = min(max(line, 0), max(lines.count - viewport, 0))
    if new == top { return }
    top = new
    needsDisplay()
  }

  private func reveal(_ row: Int) {
    let line = lines.line(ofRow: row)
    // With the first row of a section, its heading is seen too.
    let hasHeading = line > 0 && lines[line - 1] == .heading(lines.path(ofRow: row).section)
    let first = hasHeading && viewport > 1 ? line - 1 : line
    if first < top {
      setTop(first)
    } else if line >= top + viewport {
      setTop(line - viewport + 1)
    }
  }

  /// The table may have another size: what was selected and seen is still seen.
  func fitScrolling() {
    let wasSeen = selection.value.row.flatMap { row in
      let line = lines.line(ofRow: row)
      return line >= top && line < top + fittedViewport ? row : nil
    }
    fittedViewport = viewport
    setTop(top)
    if viewport > 0, rowCount > 0, let row = awaitedRow ?? wasSeen {
      awaitedRow = nil
      reveal(min(row, rowCount - 1))
    }
    tellVisibleRows()
  }

  /// Tells which rows can be seen, if that are others.
  func tellVisibleRows() {
    let rows = visibleRows
    guard rows != reportedRows else { return }
    reportedRows = rows
    delegate?.tableView(self, didShowRows: rows)
  }

  // MARK: - What is seen stays where it is seen

  /// A row, how many lines below the top it is seen, and whether that is because it is selected.
  typealias ScrollAnchor = (row: Int, offset: Int, isSelected: Bool)

  /// What is to stay where it is seen when rows come, go and move: the selected row, if it can be seen,
  /// else the row at the top.
  var scrollAnchor: ScrollAnchor? {
    let visible = visibleRows
    if let row = selection.value.row, visible.contains(row) {
      return (row, lines.line(ofRow: row) - top, true)
    }
    let row = lines.firstRow(from: top)
    return row < rowCount ? (row, lines.line(ofRow: row) - top, false) : nil
  }

  /// Scrolls to where a row is seen at its place; but what is at the very top stays there, as long as the
  /// row can be seen.
  func restoreScroll(_ scrollAnchor: ScrollAnchor?, row: Int?) {
    guard let scrollAnchor, let row else { return setTop(top) }
    let line = lines.line(ofRow: row)
    if top == 0 && (!scrollAnchor.isSelected || line < viewport) { return setTop(0) }
    setTop(line - scrollAnchor.offset)
  }
}
