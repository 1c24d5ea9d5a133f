extension TableView {
  /// Clicks the title of a column, as the user does. If the column is sortable, the click proposes
  /// another sort order. Returns false if there is no such column, or the table cannot
  /// be used.
  @discardableResult
  public func clickHeader(of column: TableColumn) -> Bool {
    // The column may have another width by now.
    guard canBeUsed, let column = columns.first(where: { $0.identifier == column.identifier })
    else { return false }
    delegate?.tableView(self, didClickHeaderOf: column)
    if column.isSortable { propose(sort: sort?.clicked(column) ?? TableSort(column.identifier)) }
    return true
  }

  /// Changes the sort order that the header shows, as the user does: if the column is sortable, the
  /// program sorts the rows, and the delegate agrees. Returns true if the header shows this order
  /// afterwards.
  @discardableResult
  public func propose(sort wanted: TableSort) -> Bool {
    guard canBeUsed, isSortedByProgram,
      columns.contains(where: { $0.identifier == wanted.column && $0.isSortable })
    else { return false }
    return proposeChange(of: \.sort, to: wanted) {
      delegate?.tableView(self, shouldSortBy: wanted)
    } tell: {
      delegate?.tableView(self, didSortBy: wanted)
    }
  }

  /// True when the program is informed of a new sort order, so that it can sort the rows. A delegate
  /// that is not a proxy is always informed.
  private var isSortedByProgram: Bool {
    sorting.isObserved
      || delegateHears { $0.tableView_didSortBy.isHeard || $0.tableView_shouldSortBy.isHeard }
  }

  /// Returns true if one of the proxies hears something, or the delegate is not a proxy.
  func delegateHears(_ hears: (TableViewDelegateProxy.Requirements) -> Bool) -> Bool {
    var next = delegate
    while let proxy = next as? TableViewDelegateProxy {
      if hears(proxy.requirements) { return true }
      next = proxy.forwardTo
    }
    return next != nil
  }

  /// Marks the title of the next or previous visible sortable column. Return clicks the marked title.
  /// Returns false if there is none.
  func mark(by step: Int) -> Bool {
    let shown = zip(columns, columnRanges).filter { $0.isSortable && !$1.isEmpty }
    let sortable = showsHeader ? shown.map(\.0.identifier) : []
    guard !sortable.isEmpty else { return false }
    let present = markedColumn.flatMap { sortable.firstIndex(of: $0) }
    let next = present.map { $0 + step } ?? (step > 0 ? 0 : sortable.count - 1)
    markedColumn = sortable[min(max(next, 0), sortable.count - 1)]
    needsDisplay()
    return true
  }

  /// Removes the mark from the header. Returns true if there was a mark.
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
