import RunnelText

extension TableView: CellDrawn {
  /// Draws the table. Visible rows without cached cells are requested from the data source.
  public func draw(in painter: inout Painter, theme: Theme) {
    if showsHeader { drawHeader(in: &painter, theme) }
    if lines.count == 0 {
      drawPlaceholder(in: &painter, theme)
    }
    for y in 0..<viewport {
      // The data source may change the rows when it is asked.
      let line = top + y
      guard line < lines.count else { break }
      let place = Rect(x: 0, y: y + headerHeight, width: contentWidth, height: 1)
      switch lines[line] {
      case .heading(let section): draw(headingOf: section, in: place, of: &painter, theme)
      case .row(let row): draw(row, in: place, of: &painter, theme)
      }
    }
    forgetUnseenRows()
    drawIndicator(in: &painter, theme)
  }

  package func forgetUnseenRows() {
    let seen = visibleRows
    for row in shownRows.keys where !seen.contains(row) { shownRows[row] = nil }
  }

  private func drawHeader(in painter: inout Painter, _ theme: Theme) {
    for (column, range) in zip(columns, columnRanges) {
      let isMarked = column.identifier == markedColumn && hasFocus
      let style = !isAvailable ? theme.disabled : isMarked ? theme.selection : theme.header
      let arrow = sort?.column == column.identifier ? sort?.isAscending == true ? "▲" : "▼" : ""
      var place = Rect(x: range.lowerBound, y: 0, width: range.count, height: 1)
      if isMarked { painter.fill(place, style: style) }
      if !arrow.isEmpty && range.count > arrow.cellWidth {
        // The arrow stays visible, however long the title is.
        let room = range.count - arrow.cellWidth - 1
        let title = min(column.title.cellWidth, max(room, 0))
        let space = range.count - title - arrow.cellWidth - (title > 0 ? 1 : 0)
        let start = range.lowerBound + column.alignment.leading(of: space)
        place = Rect(x: start, y: 0, width: title, height: 1)
        painter.put(
          arrow, at: Point(x: start + title + (title > 0 ? 1 : 0), y: 0), style: style)
        painter.put(column.title, in: place, style: style)
      } else {
        painter.put(column.title, in: place, alignment: column.alignment, style: style)
      }
    }
  }

  private func drawPlaceholder(in painter: inout Painter, _ theme: Theme) {
    let text = placeholder.split(separator: "\n", omittingEmptySubsequences: false)
    let start = headerHeight + max(viewport - text.count, 0) / 2
    for (y, line) in text.enumerated() {
      let place = Rect(x: 0, y: start + y, width: bounds.width, height: 1)
      painter.put(line, in: place, alignment: .center, style: theme.faint)
    }
  }

  private func draw(
    headingOf section: Int, in place: Rect, of painter: inout Painter, _ theme: Theme
  ) {
    let title = dataSource?.tableView(self, titleOfSection: section) ?? ""
    painter.put(title, in: place, style: isAvailable ? theme.header : theme.disabled)
  }

  private func draw(_ row: Int, in place: Rect, of painter: inout Painter, _ theme: Theme) {
    let shown = shown(row)
    let isSelected = selection.value.rows.contains(row)
    let selected = hasFocus ? theme.selection : theme.inactiveSelection
    if isSelected { painter.fill(place, style: selected) }
    for (index, (column, range)) in zip(columns, columnRanges).enumerated() where !range.isEmpty {
      let cell = shown[column.identifier]
      var style = isAvailable ? cell.style.look(in: theme) : theme.disabled
      if isSelected { style = selected }
      var room = Rect(x: range.lowerBound, y: place.minY, width: range.count, height: 1)
      if index == 0, let outline {
        room = outline.draw(triangleOfRow: row, in: room, of: &painter, style: style)
      }
      painter.put(cell.text, in: room, alignment: column.alignment, style: style)
      for part in cell.highlightedCells(in: room.size.width, column.alignment) {
        let hit = Rect(x: room.minX + part.lowerBound, y: room.minY, width: part.count, height: 1)
        painter.restyle(hit) { $0 = theme.highlight }
      }
    }
  }

  private func drawIndicator(in painter: inout Painter, _ theme: Theme) {
    guard overflows, bounds.width > 1 else { return }
    painter.scrollBar(indicator, at: Point(x: contentWidth, y: headerHeight), style: theme.faint)
  }
}

extension OutlineView {
  /// Draws the triangle of a row. Returns the room that is left for the row's first cell.
  fileprivate func draw(
    triangleOfRow row: Int, in place: Rect, of painter: inout Painter, style: TextStyle
  ) -> Rect {
    let width = place.size.width
    let offset = triangleOffset(ofRow: row, width: width)
    if isExpandable(row: row), offset < width {
      let triangle = isExpanded(row: row) ? "▾" : "▸"
      painter.put(triangle, at: Point(x: place.minX + offset, y: place.minY), style: style)
    }
    return textPlace(ofRow: row, in: place)
  }
}

extension TableCell.Style {
  fileprivate func look(in theme: Theme) -> TextStyle {
    switch self {
    case .text: theme.text
    case .faint: theme.faint
    case .custom(let style): style
    }
  }
}

extension TableCell {
  /// Returns the cell ranges of the highlights in a cell of the given width. Invisible text is not
  /// measured, because it can be long.
  fileprivate func highlightedCells(in width: Int, _ alignment: TextAlignment) -> [Range<Int>] {
    if highlights.isEmpty { return [] }
    var seen = text.prefix(cellWidth: width)
    // The last cell shows "…".
    let isCut = seen.endIndex < text.endIndex
    if isCut { seen = seen.prefix(cellWidth: width - 1) }
    let start = alignment.leading(of: width - seen.cellWidth - (isCut ? 1 : 0))
    return highlights.compactMap { range in
      // The ranges may have been made for another text.
      let range = range.clamped(to: text.startIndex..<seen.endIndex)
      if range.isEmpty { return nil }
      let from = start + seen[..<range.lowerBound].cellWidth
      let to = from + seen[range].cellWidth
      return from < to ? from..<to : nil
    }
  }
}
