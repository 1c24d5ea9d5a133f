extension TableView {
  /// Returns the frame of a cell in the table's own coordinates; nil if the row is not visible or
  /// there is no such column.
  ///
  ///     let table = TableView(columns: [TableColumn("title")])
  ///     table.rDelegate.stream(\.tableView_didBeginEditingRow).observeNext { table, row in
  ///       guard let frame = table.frame(ofRow: row, column: "title") else { return }
  ///       print("a field could stand at \(frame)")
  ///     }
  public func frame(ofRow row: Int, column identifier: String) -> Rect? {
    guard visibleRows.contains(row),
      let index = columns.firstIndex(where: { $0.identifier == identifier })
    else { return nil }
    let range = columnRanges[index]
    let y = lines.line(ofRow: row) - top + headerHeight
    let cell = Rect(x: range.lowerBound, y: y, width: range.count, height: 1)
    return index == 0 ? outline?.textPlace(ofRow: row, in: cell) ?? cell : cell
  }

  /// The width available for columns. If the rows overflow, the last cell shows the scroll
  /// indicator.
  package var contentWidth: Int { max(bounds.width - (overflows ? 1 : 0), 0) }

  package var columnRanges: [Range<Int>] { columns.ranges(in: contentWidth) }

  func part(at point: Point) -> TablePart? {
    if point.y < headerHeight {
      if let column = column(withEdgeAt: point.x) { return .edge(column.identifier) }
      let index = columnRanges.firstIndex { $0.contains(point.x) }
      return index.map { .header(columns[$0].identifier) }
    }
    if overflows && point.x >= contentWidth { return .indicator }
    let line = top + point.y - headerHeight
    guard line < lines.count else { return .ground }
    guard case .row(let row) = lines[line] else { return nil }
    return trianglePlace(ofRow: row)?.contains(point.x) == true ? .triangle(row) : .row(row)
  }

  /// Returns the cells of the triangle that expands a row of an outline, with the space behind it.
  /// Returns nil if the row cannot be expanded.
  func trianglePlace(ofRow row: Int) -> Range<Int>? {
    guard let outline, let column = columnRanges.first, outline.isExpandable(row: row) else {
      return nil
    }
    let start = column.lowerBound + outline.triangleOffset(ofRow: row, width: column.count)
    let end = min(start + OutlineView.indentation, column.upperBound)
    return start < end ? start..<end : nil
  }

  func row(nearestTo point: Point) -> Int? {
    guard rowCount > 0 else { return nil }
    let line = min(max(top + point.y - headerHeight, 0), lines.count - 1)
    return min(lines.firstRow(from: line), rowCount - 1)
  }

  package var indicator: ScrollIndicator {
    ScrollIndicator(top: top, lineCount: lines.count, viewport: viewport)
  }
}

/// A part of a table on which the mouse button can be pressed.
enum TablePart: Equatable {
  /// The title of a column.
  case header(String)
  /// The right edge of a column.
  case edge(String)
  case row(Int)
  /// The triangle that expands a row of an outline.
  case triangle(Int)
  case indicator
  /// Empty space below the last row.
  case ground
}
