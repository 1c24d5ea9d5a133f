/// The styles and selection used to draw a row of edited text.
struct TextRowLook {
  var style: TextStyle
  var highlightStyle: TextStyle
  var selectionStyle: TextStyle
  /// The selected range of the whole text.
  var selection: Range<TextPosition>
  /// The number of columns scrolled out on the left.
  var left: Int
}

extension Painter {
  /// `mark` is a position at or before the first visible column.
  mutating func put(
    _ row: TextRow, of line: String, from mark: LineColumns.Mark, at y: Int,
    highlights: [TextHighlight], look: TextRowLook
  ) {
    let styles = highlights.map { highlight in
      let (start, end) = (highlight.range.lowerBound, highlight.range.upperBound)
      let style = highlight.style ?? look.highlightStyle
      let bytes = line.byte(at: start)..<line.byte(at: end)
      return (bytes: bytes, style: style == .plain ? look.style : style)
    }.filter { $0.bytes.overlaps(row.bytes) }
    func style(at byte: Int) -> TextStyle {
      if look.selection.contains(TextPosition(line: row.line, offset: byte)) {
        return look.selectionStyle
      }
      let top = styles.last { $0.bytes.contains(byte) && $0.style != .misspelled }
      let style = top?.style ?? look.style
      let isMisspelled = styles.contains { $0.bytes.contains(byte) && $0.style == .misspelled }
      return isMisspelled ? style.adding(.wavy) : style
    }
    // Cells of the same style are drawn together.
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
    // A selected line break is shown as a selected space.
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
