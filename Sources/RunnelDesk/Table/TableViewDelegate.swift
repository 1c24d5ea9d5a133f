import RunnelProxies

/// What is told and asked when a person does something to a table.
///
/// What a person wants to be selected can be refused. What the program selects, and what becomes of the
/// selection when rows come, go and move, is told and not asked.
///
///     let table = TableView(columns: [TableColumn("title")])
///     table.rDelegate.answer(\.tableView_shouldSelectRow) { _, row in row != 0 }
///     table.rDelegate.stream(\.tableView_didActivateRow).observeNext { _, row in print(row) }
@Proxied
@MainActor
public protocol TableViewDelegate: AnyObject {
  /// Whether a row may be selected: asked for each that was not. Arrow keys pass over those that may not.
  @Default(true) func tableView(_ table: TableView, shouldSelectRow row: Int) -> Bool
  /// Whether these rows, and no others, may be selected.
  @Default(true)
  func tableView(_ table: TableView, shouldChangeSelectionTo rows: RangeSet<Int>) -> Bool
  /// These rows are about to be selected, by a person or by the program.
  @Default func tableView(_ table: TableView, selectionWillChangeTo rows: RangeSet<Int>)
  /// Other rows are selected, or the same ones have other numbers.
  @Default func tableViewSelectionDidChange(_ table: TableView)

  /// A row was activated: with Return, or by a double click.
  @Default func tableView(_ table: TableView, didActivateRow row: Int)
  /// Whether a row may be edited.
  @Default(true) func tableView(_ table: TableView, shouldEditRow row: Int) -> Bool
  /// A row is to be edited, with F2: the time to show a field at ``TableView/frame(ofRow:column:)``.
  @Default func tableView(_ table: TableView, didBeginEditingRow row: Int)

  /// The title of a column was clicked.
  @Default func tableView(_ table: TableView, didClickHeaderOf column: TableColumn)
  /// Whether the header may say that the rows have this order: a column that can sort was clicked.
  @Default(true) func tableView(_ table: TableView, shouldSortBy sort: TableSort) -> Bool
  /// The header says that the rows have this order: the time to put them into it.
  @Default func tableView(_ table: TableView, didSortBy sort: TableSort)

  /// Whether a column may be so wide: its right edge is being moved, and the next column gives or gets what
  /// it gets or gives.
  @Default(true)
  func tableView(_ table: TableView, shouldResize column: TableColumn, to width: Int) -> Bool
  /// The right edge of a column was moved.
  @Default func tableView(_ table: TableView, didResize column: TableColumn)

  /// What typed letters are compared with, to find a row; nil for what it shows in the first column.
  @Default(String?.none)
  func tableView(_ table: TableView, typeSelectTextForRow row: Int) -> String?
  /// A key means this. Returns whether something was done about it, so that the table does nothing.
  @Default(false) func tableView(_ table: TableView, doCommand command: Command) -> Bool
  /// Other rows can be seen.
  @Default func tableView(_ table: TableView, didShowRows rows: Range<Int>)
}
