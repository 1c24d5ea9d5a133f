/// The rows that a text takes on a screen of a given width.
///
/// A line is wrapped when its rows are requested, and its rows are cached until it changes. The
/// rows of the whole text are never needed.
package struct TextLayout {
  /// The number of columns in a row; nil if lines are not wrapped.
  package var width: Int? {
    didSet { if width != oldValue { lines = [:] } }
  }

  private(set) var lines: [Int: LineRows] = [:]

  /// The maximum number of cached lines, more than a screen has rows.
  private static let maximumCachedLineCount = 512

  package init(width: Int? = nil) {
    self.width = width
  }

  // MARK: - Rows

  /// The boundary of two rows belongs to the second one.
  package mutating func row(at position: TextPosition, of document: TextDocument) -> TextRow {
    let line = document[line: position.line]
    return row(of: position.line, line) { rows, width in
      rows.find(offset: position.offset, of: line, width: width)
      return rows.index(at: position.offset)
    }
  }

  package mutating func row(after row: TextRow, of document: TextDocument) -> TextRow? {
    if !row.isLast {
      return self.row(at: TextPosition(line: row.line, offset: row.bytes.upperBound), of: document)
    }
    guard row.line + 1 < document.lineCount else { return nil }
    return self.row(at: TextPosition(line: row.line + 1, offset: 0), of: document)
  }

  package mutating func row(before row: TextRow, of document: TextDocument) -> TextRow? {
    if row.index > 0 {
      let line = document[line: row.line]
      return self.row(of: row.line, line) { _, _ in row.index - 1 }
    }
    return row.line > 0 ? self.row(at: document.end(ofLine: row.line - 1), of: document) : nil
  }

  /// Returns the row `count` rows below another one, or above it if `count` is negative. Stops at
  /// the first and the last row.
  package mutating func row(_ row: TextRow, movedBy count: Int, of document: TextDocument)
    -> TextRow
  {
    var row = row
    for _ in 0..<abs(count) {
      let next =
        count < 0 ? self.row(before: row, of: document) : self.row(after: row, of: document)
      guard let next else { break }
      row = next
    }
    return row
  }

  private mutating func row(
    of number: Int, _ line: String, _ find: (inout LineRows, _ width: Int?) -> Int
  ) -> TextRow {
    if lines.count >= Self.maximumCachedLineCount && lines[number] == nil { lines = [:] }
    var rows = lines[number] ?? LineRows()
    let index = find(&rows, width)
    rows.find(row: index + 1, of: line, width: width)
    lines[number] = rows
    let isLast = index + 1 == rows.starts.count
    let end = isLast ? line.utf8.count : rows.starts[index + 1]
    return TextRow(line: number, index: index, bytes: rows.starts[index]..<end, isLast: isLast)
  }

  // MARK: - Columns

  package mutating func column(of position: TextPosition, in document: TextDocument) -> Int {
    let row = row(at: position, of: document)
    let line = document[line: position.line]
    let mark = mark(in: row) { $0.mark(forOffset: position.offset, of: line) }
    let cells = LineCells(
      of: line, from: mark.offset, column: mark.column, to: position.offset)
    return cells.reduce(mark.column) { $1.column + $1.width }
  }

  /// Returns a mark shortly before a column of a row.
  mutating func mark(
    forColumn column: Int, in row: TextRow, of document: TextDocument
  ) -> LineColumns.Mark {
    let line = document[line: row.line]
    return mark(in: row) { $0.mark(forColumn: column, of: line) }
  }

  /// Returns a mark in a row. In a wrapped row it is the start, because wrapped rows are short.
  private mutating func mark(
    in row: TextRow, _ find: (inout LineColumns) -> LineColumns.Mark
  ) -> LineColumns.Mark {
    guard width == nil else { return LineColumns.Mark(offset: row.bytes.lowerBound) }
    return find(&lines[row.line, default: LineRows()].columns)
  }

  /// Returns the last position of a row that is not after a column.
  package mutating func position(
    atColumn column: Int, in row: TextRow, of document: TextDocument
  ) -> TextPosition {
    let line = document[line: row.line]
    let mark = mark(forColumn: column, in: row, of: document)
    var offset = mark.offset
    let cells = LineCells(
      of: line, from: mark.offset, column: mark.column, to: row.bytes.upperBound)
    for cell in cells {
      // The position after the last character belongs to the next row, unless the line ends.
      let isEnd = cell.bytes.upperBound == row.bytes.upperBound && !row.isLast
      if cell.column + cell.width > column || isEnd { break }
      offset = cell.bytes.upperBound
    }
    return TextPosition(line: row.line, offset: offset)
  }

  // MARK: - Changes

  /// Discards the cached rows that a change affects, and renumbers the lines after it.
  package mutating func update(after change: TextChange) {
    let (start, oldEnd) = (change.range.lowerBound, change.range.upperBound)
    let added = change.end.line - oldEnd.line
    if added == 0 && start.line == oldEnd.line {
      lines[start.line]?.forget(from: start.offset)
      return
    }
    var moved: [Int: LineRows] = [:]
    for (line, rows) in lines {
      if line < start.line {
        moved[line] = rows
      } else if line == start.line {
        var rows = rows
        rows.forget(from: start.offset)
        moved[line] = rows
      } else if line > oldEnd.line {
        moved[line + added] = rows
      }
    }
    lines = moved
  }
}
