extension TableView {
  /// The scroll offset: the number of hidden lines above the visible ones. A line is a row or the
  /// heading of a section.
  public var scrollPosition: Int {
    get { top }
    set {
      setTop(newValue)
      reportVisibleRows()
    }
  }

  /// The visible rows.
  public var visibleRows: Range<Int> { lines.rows(inLines: visibleLines) }

  /// Scrolls only as far as needed to make a row visible.
  public func scrollToRow(_ row: Int) {
    guard (0..<rowCount).contains(row) else { return }
    guard viewport > 0 else { return awaitedRow = row }
    reveal(row)
    reportVisibleRows()
  }

  /// The number of lines that the table has room for.
  package var viewport: Int {
    max((measuredHeight ?? bounds.height) - headerHeight, 0)
  }

  package var headerHeight: Int { showsHeader ? 1 : 0 }

  package var visibleLines: Range<Int> {
    let start = min(top, lines.count)
    return start..<min(start + viewport, lines.count)
  }

  /// True when there are more lines than the table has room for.
  package var overflows: Bool { lines.count > viewport }

  private func setTop(_ line: Int) {
    let new = min(max(line, 0), max(lines.count - viewport, 0))
    if new == top { return }
    top = new
    needsDisplay()
  }

  private func reveal(_ row: Int) {
    let line = lines.line(ofRow: row)
    // The heading of a section is shown together with its first row.
    let hasHeading = line > 0 && lines[line - 1] == .heading(lines.path(ofRow: row).section)
    let first = hasHeading && viewport > 1 ? line - 1 : line
    if first < top {
      setTop(first)
    } else if line >= top + viewport {
      setTop(line - viewport + 1)
    }
  }

  /// Adapts the scroll offset to the size of the table. A visible selected row stays visible.
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
    reportVisibleRows()
  }

  /// Notifies the delegate if the visible rows have changed.
  func reportVisibleRows() {
    let rows = visibleRows
    guard rows != reportedRows else { return }
    reportedRows = rows
    delegate?.tableView(self, didShowRows: rows)
  }

  // MARK: - Scroll anchor

  /// A row, its distance in lines from the top of the visible part, and a Boolean value that is
  /// true when the row was chosen because it is selected.
  typealias ScrollAnchor = (row: Int, offset: Int, isSelected: Bool)

  /// The row that keeps its place on the screen when rows change: the selected row if it is
  /// visible, otherwise the first visible row.
  var scrollAnchor: ScrollAnchor? {
    let visible = visibleRows
    if let row = selection.value.row, visible.contains(row) {
      return (row, lines.line(ofRow: row) - top, true)
    }
    let row = lines.firstRow(from: top)
    return row < rowCount ? (row, lines.line(ofRow: row) - top, false) : nil
  }

  /// Restores the place of an anchor on the screen. A table that shows its first line keeps showing
  /// it, unless a selected anchor would become invisible.
  func restoreScroll(_ scrollAnchor: ScrollAnchor?, row: Int?) {
    guard let scrollAnchor, let row else { return setTop(top) }
    let line = lines.line(ofRow: row)
    if top == 0 && (!scrollAnchor.isSelected || line < viewport) { return setTop(0) }
    setTop(line - scrollAnchor.offset)
  }
}
