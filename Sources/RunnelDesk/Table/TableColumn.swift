/// A column of a ``TableView``.
///
///     let columns = [
///       TableColumn("title", title: "Title", isSortable: true),
///       TableColumn("date", title: "Changed", width: .fixed(10), alignment: .trailing),
///     ]
///     print(columns[0].identifier)  // title
public struct TableColumn: Hashable, Sendable {
  /// The width of a column.
  public enum Width: Hashable, Sendable {
    /// A fixed number of cells.
    case fixed(Int)
    /// A minimum number of cells, plus a share of the free space. A column with two shares gets
    /// twice as much free space as a column with one.
    case flexible(minimum: Int, shares: Int = 1)

    /// A share of the free space, without a minimum.
    public static let flexible = Width.flexible(minimum: 0)
  }

  /// The identifier, which is unique among the columns of a table.
  public var identifier: String
  /// The title in the header.
  public var title: String
  /// The width.
  public var width: Width
  /// The smallest width, in cells, that the user can give the column.
  public var minimumWidth: Int
  /// The alignment of the title and the cells.
  public var alignment: TextAlignment
  /// The column is hidden while the table is narrower than this number of cells.
  public var minimumTableWidth: Int
  /// True when a click on the title requests another sort order. `rx.sortedRows` sorts the rows; with
  /// other rows, the program sorts them when `rx.sort` changes or its delegate is notified. A click
  /// does nothing if the program neither uses `rx.sortedRows`, observes `rx.sort`, nor has a
  /// delegate, because the header shows no order that the rows do not have.
  public var isSortable: Bool

  /// Creates a column. By default it shares the free space with other columns.
  public init(
    _ identifier: String, title: String = "", width: Width = .flexible, minimumWidth: Int = 1,
    alignment: TextAlignment = .leading, isSortable: Bool = false, minimumTableWidth: Int = 0
  ) {
    self.identifier = identifier
    self.title = title
    self.width = width
    self.minimumWidth = minimumWidth
    self.alignment = alignment
    self.isSortable = isSortable
    self.minimumTableWidth = minimumTableWidth
  }
}

/// A sort order of the rows of a table: a column and a direction.
///
/// The table shows the order in its header. `rx.sortedRows` sorts the rows by their texts. For another
/// order, the program sorts the rows, because it knows their values.
public struct TableSort: Hashable, Sendable {
  /// The identifier of the column.
  public var column: String
  /// True when the smallest value comes first.
  public var isAscending: Bool

  /// Creates a sort order.
  public init(_ column: String, isAscending: Bool = true) {
    self.column = column
    self.isAscending = isAscending
  }

  /// Returns the sort order that a click on a column requests: by that column, ascending. If the
  /// rows are sorted by the column already, the direction is reversed.
  func clicked(_ column: TableColumn) -> TableSort {
    TableSort(
      column.identifier, isAscending: column.identifier == self.column ? !isAscending : true)
  }
}
