import RunnelProxies

/// An object that provides the sections, rows and cells of a table.
///
/// The table requests the cells of a row when the row is about to become visible, and again after
/// the program has reported a change. A million rows therefore cost no more than the visible ones.
///
///     final class Inbox: TableViewDataSource {
///       let subjects = ["Lunch?", "Invoice"]
///       func tableView(_ table: TableView, numberOfRowsInSection section: Int) -> Int {
///         subjects.count
///       }
///       func tableView(_ table: TableView, cellsOfRow row: Int) -> TableRow {
///         ["subject": TableCell(subjects[row])]
///       }
///     }
///
/// Rows are numbered across all sections. ``TableView/path(ofRow:)`` returns a row's section and
/// its index in that section.
@Proxied
@MainActor
public protocol TableViewDataSource: AnyObject {
  /// Returns the number of sections.
  @Default(1) func numberOfSections(in table: TableView) -> Int
  /// Returns the number of rows in a section.
  @Default(0) func tableView(_ table: TableView, numberOfRowsInSection section: Int) -> Int
  /// Returns the heading of a section; nil if it has none.
  @Default(String?.none)
  func tableView(_ table: TableView, titleOfSection section: Int) -> String?
  /// Returns the cells of a row.
  @Default(TableRow()) func tableView(_ table: TableView, cellsOfRow row: Int) -> TableRow
}
