/// How a row of an edited text looks.
struct TextRowLook {
  var style: TextStyle
  var highlightStyle: TextStyle
  var selectionStyle: TextStyle
  /// What is selected of all the text.
  var selection: Range<TextPosition>
  /// How many columns are left of what is shown.
  var left: Int
}

extension Painter {
  /// Draws a row of a text from a place on that is not seen any more, or its beginning, with what
  /// is selected in it, and what was searched for.
  mutating func put(
    _ row: TextRow, of line: String, from mark: LineColumns.Mark, at y: Int,
    highlights: [TextHighlight], look: TextRowLook
  ) {
    let styles = highlights.map { highlight in
      let (start, end) = (highlight.range.lowerBound, highlight.range.upperBound)
      return (line.byte(at: start)..<line.byte(at: end), highlight.style ?? look.highlightStyle)
    }.filter { $0.0.overlaps(row.bytes) }
    func style(at byte: Int) -> TextStyle {
      if look.selection.contains(TextPosition(line: row.line, offset: byte)) {
        return look.selectionStyle
      }
      return styles.last { $0.0.contains(byte) }?.1 ?? look.style
    }
    // What looks alike is drawn at once.
    var run: (bytes: Range<Int>, column: Int, style: TextStyle)?
    var end = mark.column
    let cells = LineCells(
      of: line, from: mark.offset, column: mark.column, to: row.bytes.upperBound)
    for cell in cells {
      end = cell.column + cell.width
      if end < look.left { continue }
      if cell.column - look.left >= size.width { break }
      let style = style(at: cell.bytes.lowerBound)
      if cell.isTab {
        draw(run, of: line, left: look.left, y)
        run = nil
        let point = Point(x: cell.column - look.left, y: y)
        put(String(repeating: " ", count: cell.width), at: point, style: style)
      } else if let begun = run, begun.style == style {
        run?.bytes = begun.bytes.lowerBound..<cell.bytes.upperBound
      } else {
        draw(run, of: line, left: look.left, y)
        run = (cell.bytes, cell.column, style)
      }
    }
    draw(run, of: line, left: look.left, y)
    // A break that is selected can be seen too.
    if row.isLast && look.selection.contains(row.end) {
      put(" ", at: Point(x: end - look.left, y: y), style: look.selectionStyle)
    }
  }

  private mutating func draw(
    _ run: (bytes: Range<Int>, column: Int, style: TextStyle)?, of line: String, left: Int, _ y: Int
  ) {
    guard let run else { return }
    put(line.piece(run.bytes), at: Point(x: run.column - left, y: y), style: run.style)
  }
}
