import RunnelProxies

/// A delegate that can refuse the user's actions on a table, and is notified of them.
///
/// The delegate can refuse a selection that the user makes. It is notified, but not asked, when the
/// program changes the selection, or when the selection follows inserted, removed or moved rows.
///
///     let table = TableView(columns: [TableColumn("title")])
///     table.rDelegate.answer(\.tableView_shouldSelectRow) { _, row in row != 0 }
///     table.rDelegate.stream(\.tableView_didActivateRow).observeNext { _, row in print(row) }
@Proxied
@MainActor
public protocol TableViewDelegate: AnyObject {
  /// Returns true if a row may be selected. The table asks for each row that is not selected yet.
  /// Arrow keys skip the refused rows.
  @Default(true) func tableView(_ table: TableView, shouldSelectRow row: Int) -> Bool
  /// Returns true if exactly these rows may be selected.
  @Default(true)
  func tableView(_ table: TableView, shouldChangeSelectionTo rows: RangeSet<Int>) -> Bool
  /// Called before the user or the program selects these rows.
  @Default func tableView(_ table: TableView, selectionWillChangeTo rows: RangeSet<Int>)
  /// Called after the selected rows, or their numbers, have changed.
  @Default func tableViewSelectionDidChange(_ table: TableView)

  /// Called after a row was activated with Return or a double click. If an observer of the proxy
  /// has changed the rows meanwhile, the row may be another one or no longer exist.
  @Default func tableView(_ table: TableView, didActivateRow row: Int)
  /// Returns true if a row may be edited.
  @Default(true) func tableView(_ table: TableView, shouldEditRow row: Int) -> Bool
  /// Called when the user presses F2 to edit a row. Show a text field at
  /// ``TableView/frame(ofRow:column:)``.
  @Default func tableView(_ table: TableView, didBeginEditingRow row: Int)

  /// Called after the title of a column was clicked.
  @Default func tableView(_ table: TableView, didClickHeaderOf column: TableColumn)
  /// Returns true if the header may show this sort order. Called after a click on the title of a
  /// sortable column.
  @Default(true) func tableView(_ table: TableView, shouldSortBy sort: TableSort) -> Bool
  /// Called after the user has changed the sort order in the header. Sort the rows in this order,
  /// unless they are those of `rx.sortedRows`.
  @Default func tableView(_ table: TableView, didSortBy sort: TableSort)

  /// Returns true if a column may get this width. Called while its right edge is moved. The next
  /// column gives or takes the difference.
  @Default(true)
  func tableView(_ table: TableView, shouldResize column: TableColumn, to width: Int) -> Bool
  /// Called after the right edge of a column was moved.
  @Default func tableView(_ table: TableView, didResize column: TableColumn)

  /// Returns the text that typed letters are compared with; nil to use the text in the first
  /// column.
  @Default(String?.none)
  func tableView(_ table: TableView, typeSelectTextForRow row: Int) -> String?
  /// Handles the command of a key. Return true if the command was handled; the table then ignores
  /// it.
  @Default(false) func tableView(_ table: TableView, doCommand command: Command) -> Bool
  /// Handles typed text for which the table has no use: letters when ``TableView/allowsTypeSelect`` is
  /// false. Return true if the text was handled.
  @Default(false) func tableView(_ table: TableView, insert text: String) -> Bool
  /// Called after the visible rows have changed.
  @Default func tableView(_ table: TableView, didShowRows rows: Range<Int>)
}
