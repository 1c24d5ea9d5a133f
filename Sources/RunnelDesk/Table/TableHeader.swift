extension TableView {
  /// Clicks the title of a column, as a person does: where it can sort, the delegate is asked. Returns
  /// whether there is such a title to click.
  @discardableResult
  public func clickHeader(of column: TableColumn) -> Bool {
    // It may have another width by now.
    guard canBeUsed, let column = columns.first(where: { $0.identifier == column.identifier })
    else { return false }
    signals.header.next(column)
    delegate?.tableView(self, didClickHeaderOf: column)
    if column.isSortable { propose(sort: sort?.clicked(column) ?? TableSort(column.identifier)) }
    return true
  }

  /// Has the header say that the rows have this order, as a person does: where the column can sort, and the
  /// delegate agrees. Returns whether it says so then.
  @discardableResult
  public func propose(sort wanted: TableSort) -> Bool {
    guard canBeUsed, columns.contains(where: { $0.identifier == wanted.column && $0.isSortable })
    else { return false }
    let former = sort
    guard former != wanted, delegate?.tableView(self, shouldSortBy: wanted) ?? true,
      // Who was asked may have set another one.
      sort == former
    else { return sort == wanted }
    sort = wanted
    // Who observes it may have done so too.
    if sort == wanted { delegate?.tableView(self, didSortBy: wanted) }
    return sort == wanted
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
