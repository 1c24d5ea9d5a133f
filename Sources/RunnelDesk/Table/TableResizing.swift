import RunnelText

// Resizing of columns with the mouse.
extension TableView {
  /// Resizes a column, as the user does. The next column gives or takes the difference. The
  /// delegate is asked, and no column gets narrower than its ``TableColumn/minimumWidth``. Returns
  /// true if the column has the requested width afterwards.
  @discardableResult
  public func resizeColumn(_ identifier: String, to width: Int) -> Bool {
    guard canBeUsed, let index = columns.firstIndex(where: { $0.identifier == identifier }) else {
      return false
    }
    let (former, room) = (columns, contentWidth)
    let resized = former.resizing(index, to: width, in: room)
    let length = resized.lengths(in: room)[index]
    if length == former.lengths(in: room)[index] { return length == width }
    let isResized = proposeChange(of: \.columns, to: resized) {
      delegate?.tableView(self, shouldResize: former[index], to: length)
    } tell: {
      delegate?.tableView(self, didResize: resized[index])
    }
    return isResized && length == width
  }

  /// Resizes a column to fit its title and its visible cells, as a double click on its edge does.
  /// Returns true if the column has that width afterwards.
  @discardableResult
  public func fitColumn(_ identifier: String) -> Bool {
    let isTree = identifier == columns.first?.identifier
    let widths = visibleRows.map { row in
      shown(row)[identifier].text.cellWidth + (isTree ? outline?.indentation(ofRow: row) ?? 0 : 0)
    }
    // The data source may have set other columns when it was asked for cells.
    guard let column = columns.first(where: { $0.identifier == identifier }) else { return false }
    // The header may show an arrow after the title.
    let title = column.title.cellWidth + (column.isSortable ? 2 : 0)
    return resizeColumn(identifier, to: widths.reduce(title, max))
  }

  /// Returns the column whose right edge is at `x` in the header.
  func column(withEdgeAt x: Int) -> TableColumn? {
    guard allowsColumnResizing, x < contentWidth else { return nil }
    return columnRanges.firstIndex { $0.upperBound == x && !$0.isEmpty }.map { columns[$0] }
  }

  func dragEdge(of identifier: String, to x: Int) {
    guard let index = columns.firstIndex(where: { $0.identifier == identifier }) else { return }
    resizeColumn(identifier, to: x.minus(columnRanges[index].lowerBound))
  }
}
