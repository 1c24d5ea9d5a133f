/// A column of a ``TableView``.
///
///     let columns = [
///       TableColumn("title", title: "Title", isSortable: true),
///       TableColumn("date", title: "Changed", width: .fixed(10), alignment: .trailing),
///     ]
///     print(columns[0].identifier)  // title
public struct TableColumn: Hashable, Sendable {
  /// How wide a column is.
  public enum Width: Hashable, Sendable {
    /// So many cells.
    case fixed(Int)
    /// So many cells, and a share of what all columns together leave: twice as much as another column that
    /// has half as many shares.
    case flexible(minimum: Int, shares: Int = 1)

    /// A share of what all columns together leave.
    public static let flexible = Width.flexible(minimum: 0)
  }

  /// What it is known by in the program. No two columns of a table have the same.
  public var identifier: String
  /// What stands above it.
  public var title: String
  /// How wide it is.
  public var width: Width
  /// How narrow a person can make it.
  public var minimumWidth: Int
  /// On which side of it the text stands.
  public var alignment: TextAlignment
  /// Whether a click on its title asks for another order of the rows.
  public var isSortable: Bool

  /// A column. One without a width takes what the others leave.
  public init(
    _ identifier: String, title: String = "", width: Width = .flexible, minimumWidth: Int = 1,
    alignment: TextAlignment = .leading, isSortable: Bool = false
  ) {
    self.identifier = identifier
    self.title = title
    self.width = width
    self.minimumWidth = minimumWidth
    self.alignment = alignment
    self.isSortable = isSortable
  }
}

/// By which column the rows of a table are in order, and which way round.
///
/// It is what the header shows. The rows themselves are put in order by the program, which knows what
/// they are made of.
public struct TableSort: Hashable, Sendable {
  /// The identifier of the column.
  public var column: String
  /// Whether the least comes first.
  public var isAscending: Bool

  /// An order by a column.
  public init(_ column: String, isAscending: Bool = true) {
    self.column = column
    self.isAscending = isAscending
  }

  /// The order that a click on a column asks for: by that one; the other way round if it is so already.
  func clicked(_ column: TableColumn) -> TableSort {
    TableSort(
      column.identifier, isAscending: column.identifier == self.column ? !isAscending : true)
  }
}
