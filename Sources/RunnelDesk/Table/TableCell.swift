/// The content of a table in one column of a row.
///
///     var cell = TableCell("Buy milk and bread", style: .faint)
///     if let hit = cell.text.firstRange(of: "milk") { cell.highlights = [hit] }
///     print(cell.text)
public struct TableCell: Hashable, Sendable {
  /// The look of a cell's text while its row is not selected.
  public enum Style: Hashable, Sendable {
    /// The theme's style for text.
    case text
    /// The theme's style for less important text.
    case faint
    /// A custom style.
    case custom(TextStyle)
  }

  /// The text. Text that is too wide is truncated with "…".
  public var text: String
  /// The look of the text.
  public var style: Style
  /// The highlighted parts of the text, such as search hits.
  public var highlights: [Range<String.Index>]

  /// Creates a cell.
  public init(
    _ text: String, style: Style = .text, highlights: [Range<String.Index>] = []
  ) {
    self.text = text
    self.style = style
    self.highlights = highlights
  }
}

extension TableCell: ExpressibleByStringInterpolation {
  /// Creates a cell with a text.
  public init(stringLiteral text: String) {
    self.init(text)
  }
}

/// The cells of a table row, by the identifiers of their columns.
///
///     var row: TableRow = ["title": "Shopping", "date": "2 May"]
///     row["date"].style = .faint
///     print(row["title"].text)
public struct TableRow: Hashable, Sendable {
  private var cells: [String: TableCell] = [:]

  /// Creates a row of empty cells.
  public init() {}

  /// The cell in a column.
  public subscript(column: String) -> TableCell {
    get { cells[column] ?? TableCell("") }
    set { cells[column] = newValue }
  }
}

extension TableRow: ExpressibleByDictionaryLiteral {
  /// Creates a row from pairs of a column's identifier and a cell. Of several cells of a column,
  /// the last one is used.
  public init(dictionaryLiteral cells: (String, TableCell)...) {
    self.cells = Dictionary(cells) { $1 }
  }
}
