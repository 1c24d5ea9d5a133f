/// What a table shows in one column of a row.
///
///     var cell = TableCell("Buy milk and bread", style: .faint)
///     if let hit = cell.text.firstRange(of: "milk") { cell.highlights = [hit] }
///     print(cell.text)
public struct TableCell: Hashable, Sendable {
  /// How the text of a cell looks where its row is not selected.
  public enum Style: Hashable, Sendable {
    /// As text.
    case text
    /// As text that matters less.
    case faint
    /// Its own way.
    case custom(TextStyle)
  }

  /// What it says. What is too wide ends in "…".
  public var text: String
  /// How it looks.
  public var style: Style
  /// The parts of the text that were searched for.
  public var highlights: [Range<String.Index>]

  /// A text.
  public init(
    _ text: String, style: Style = .text, highlights: [Range<String.Index>] = []
  ) {
    self.text = text
    self.style = style
    self.highlights = highlights
  }
}

extension TableCell: ExpressibleByStringInterpolation {
  /// A text.
  public init(stringLiteral text: String) {
    self.init(text)
  }
}

/// What a table shows in a row, by the identifiers of its columns.
///
///     var row = TableRow()
///     row["title"] = "Shopping"
///     row["date"].text = "2 May"
///     row["date"].style = .faint
///     print(row["title"].text)
public struct TableRow: Hashable, Sendable {
  private var cells: [String: TableCell] = [:]

  /// A row that shows nothing.
  public init() {}

  /// What it shows in a column.
  public subscript(column: String) -> TableCell {
    get { cells[column] ?? TableCell("") }
    set { cells[column] = newValue }
  }
}
