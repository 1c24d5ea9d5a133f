import RunnelText

// The edges of columns, which a person can move with the mouse.
extension TableView {
  /// Makes a column wider or narrower, as a person does: what it gets, the next one gives. The delegate is
  /// asked, and no column is made narrower than its ``TableColumn/minimumWidth``. Returns whether it was
  /// made so wide.
  @discardableResult
  public func resizeColumn(_ identifier: String, to width: Int) -> Bool {
    guard canBeUsed, let index = columns.firstIndex(where: { $0.identifier == identifier }) else {
      return false
    }
    let (former, room) = (columns, contentWidth)
    let resized = former.resizing(index, to: width, in: room)
    let length = resized.lengths(in: room)[index]
    if length == former.lengths(in: room)[index] { return length == width }
    guard delegate?.tableView(self, shouldResize: former[index], to: length) ?? true,
      // Who was asked may have set other columns.
      columns == former
    else { return false }
    columns = resized
    signals.resizing.next(resized[index])
    delegate?.tableView(self, didResize: resized[index])
    return length == width
  }

  /// Makes a column as wide as its title and what can be seen of it, as a double click on its edge does.
  /// Returns whether it was made so wide.
  @discardableResult
  public func fitColumn(_ identifier: String) -> Bool {
    let widths = visibleRows.map { shown($0)[identifier].text.cellWidth }
    // Who was asked what rows show may have set other columns.
    guard let column = columns.first(where: { $0.identifier == identifier }) else { return false }
    // An arrow may stand behind the title.
    let title = column.title.cellWidth + (column.isSortable ? 2 : 0)
    return resizeColumn(identifier, to: widths.reduce(title, max))
  }

  /// The column whose right edge is at a place in the header.
  func column(withEdgeAt x: Int) -> TableColumn? {
    guard allowsColumnResizing, x < contentWidth else { return nil }
    return columnRanges.firstIndex { $0.upperBound == x && !$0.isEmpty }.map { columns[$0] }
  }

  /// Moves the edge of a column to a place.
  func dragEdge(of identifier: String, to x: Int) {
    guard let index = columns.firstIndex(where: { $0.identifier == identifier }) else { return }
    resizeColumn(identifier, to: x.minus(columnRanges[index].lowerBound))
  }
}
