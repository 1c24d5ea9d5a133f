extension TableView {
  /// Where a row shows a column, in the table's own coordinates; nil where it is not seen.
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
    return Rect(x: range.lowerBound, y: y, width: range.count, height: 1)
  }

  /// How many cells there are for columns: the last one is for the scroll indicator, if there has to be one.
  var contentWidth: Int { max(bounds.width - (overflows ? 1 : 0), 0) }

  var columnRanges: [Range<Int>] { columns.ranges(in: contentWidth) }

  /// What is at a place.
  func part(at point: Point) -> TableGrip? {
    if point.y < headerHeight {
      if let column = column(withEdgeAt: point.x) { return .edge(column.identifier) }
      let index = columnRanges.firstIndex { $0.contains(point.x) }
      return index.map { .header(columns[$0].identifier) }
    }
    if overflows && point.x >= contentWidth { return .indicator }
    let line = top + point.y - headerHeight
    guard line < lines.count else { return .ground }
    if case .row(let row) = lines[line] { return .row(row) }
    return nil
  }

  /// The row at the height of a place, or the one nearest to it.
  func row(nearestTo point: Point) -> Int? {
    guard rowCount > 0 else { return nil }
    let line = min(max(top + point.y - headerHeight, 0), lines.count - 1)
    return min(lines.firstRow(from: line), rowCount - 1)
  }

  /// Where in the lines beside which it stands the scroll indicator is.
  var indicatorRange: Range<Int> {
    guard overflows, viewport > 0 else { return 0..<0 }
    let length = max(viewport * viewport / lines.count, 1)
    let room = viewport - length
    let hidden = lines.count - viewport
    // It is at an end only when there is nothing left to see there.
    let start = top * room / hidden
    let fitted = top > 0 && room > 1 ? min(max(start, 1), top < hidden ? room - 1 : room) : start
    return fitted..<fitted + length
  }
}

/// A part of a table that a button of the mouse can go down on.
enum TableGrip: Equatable {
  /// The title of a column.
  case header(String)
  /// The right edge of a column.
  case edge(String)
  /// A row.
  case row(Int)
  /// The scroll indicator.
  case indicator
  /// Where nothing is.
  case ground
}
