import RunnelProxies

/// Where a table gets from what it shows.
///
/// It is asked for cells when their rows are about to be seen, and not again until it is said that they
/// have changed: a million rows cost what is visible.
///
///     final class Inbox: TableViewDataSource {
///       let subjects = ["Lunch?", "Invoice"]
///       func tableView(_ table: TableView, numberOfRowsInSection section: Int) -> Int {
///         subjects.count
///       }
///       func tableView(_ table: TableView, cellFor column: TableColumn, row: Int) -> TableCell {
///         TableCell(subjects[row])
///       }
///     }
///
/// Rows are numbered through all sections: ``TableView/path(ofRow:)`` says where in its section one is.
@Proxied
@MainActor
public protocol TableViewDataSource: AnyObject {
  /// How many sections there are.
  @Default(1) func numberOfSections(in table: TableView) -> Int
  /// How many rows a section has.
  @Default(0) func tableView(_ table: TableView, numberOfRowsInSection section: Int) -> Int
  /// What stands above a section; nil if it has no heading.
  @Default(String?.none)
  func tableView(_ table: TableView, titleOfSection section: Int) -> String?
  /// What a row shows in a column.
  @Default(TableCell(""))
  func tableView(_ table: TableView, cellFor column: TableColumn, row: Int) -> TableCell
}
