import RunnelStreams

extension Reactive where Base: TableView {
  /// The selected row. Of several rows, the one that was selected last.
  @MainActor public var selectedRow: ControlProperty<Int?> {
    ControlProperty(
      of: base, values: base.selection.stream.map { $0.row }.distinctUntilChanged()
    ) { $0.selectedRow = $1 }
  }

  /// The selected rows.
  @MainActor public var selectedRows: ControlProperty<RangeSet<Int>> {
    ControlProperty(
      of: base, values: base.selection.stream.map { $0.rows }.distinctUntilChanged()
    ) { $0.selectedRows = $1 }
  }

  /// Sends the selected rows each time that they have changed.
  @MainActor public var selectionChanged: ControlEvent<RangeSet<Int>> {
    ControlEvent(selectedRows, of: base)
  }

  /// Sends the row that was activated with Return or a double click.
  @MainActor public var activated: ControlEvent<Int> {
    ControlEvent(base.rDelegate.stream(\.tableView_didActivateRow).map { $1 }, of: base)
  }

  /// Sends the column whose title was clicked.
  @MainActor public var headerClicked: ControlEvent<TableColumn> {
    ControlEvent(base.rDelegate.stream(\.tableView_didClickHeaderOf).map { $1 }, of: base)
  }

  /// Sends the column whose right edge was moved.
  @MainActor public var columnResized: ControlEvent<TableColumn> {
    ControlEvent(base.rDelegate.stream(\.tableView_didResize).map { $1 }, of: base)
  }

  /// The sort order that the header shows: the current one, then each one that the user or the program
  /// sets. Sort the rows when it changes, unless they are those of ``sortedRows(_:configure:)``.
  @MainActor public var sort: ControlProperty<TableSort?> {
    ControlProperty(of: base, values: base.sorting) { $0.sort = $1 }
  }

  /// Requests the cells of all rows again, without a change of the rows.
  @MainActor public var reload: Binder<Void> {
    Binder(base) { table, _ in table.reloadRows(0..<table.rowCount) }
  }

  /// The text that the table shows while it has no rows.
  @MainActor public var placeholder: Binder<String> { Binder(base) { $0.placeholder = $1 } }
}
