extension TableView {
  /// Clicks the title of a column, as a person does: where it can sort, the delegate is asked.
  public func clickHeader(of column: TableColumn) {
    signals.header.next(column)
    delegate?.tableView(self, didClickHeaderOf: column)
    guard column.isSortable, columns.contains(column) else { return }
    let sort = sort?.clicked(column) ?? TableSort(column.identifier)
    guard delegate?.tableView(self, shouldSortBy: sort) ?? true else { return }
    self.sort = sort
    delegate?.tableView(self, didSortBy: sort)
  }

  /// Marks the title of the next column that can sort: Return clicks it.
  func mark(by step: Int) -> Bool {
    let sortable = showsHeader ? columns.filter(\.isSortable).map(\.identifier) : []
    guard !sortable.isEmpty else { return false }
    let present = markedColumn.flatMap { sortable.firstIndex(of: $0) }
    let next = present.map { $0 + step } ?? (step > 0 ? 0 : sortable.count - 1)
    markedColumn = sortable[min(max(next, 0), sortable.count - 1)]
    needsDisplay()
    return true
  }

  /// Whether there was a mark.
  @discardableResult
  func forgetMark() -> Bool {
    guard markedColumn != nil else { return false }
    markedColumn = nil
    needsDisplay()
    return true
  }

  func clickMarkedColumn() -> Bool {
    guard showsHeader, let column = columns.first(where: { $0.identifier == markedColumn }) else {
      return false
    }
    clickHeader(of: column)
    return true
  }
}
