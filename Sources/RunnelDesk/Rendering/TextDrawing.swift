extension TextView: CellDrawn {
  /// Draws the visible part of the text.
  public func draw(in painter: inout Painter, theme: Theme) {
    // Delegates called while other views were drawn may have changed the text since it was laid
    // out.
    layoutSubviews()
    let look = look(theme.text, theme, left: scroll.left)
    // The delegate that provides highlights may change the text.
    let (document, left) = (document, scroll.left)
    let marks = scroll.rows.map { state.layout.mark(forColumn: left, in: $0, of: document) }
    var asked: (line: Int, highlights: [TextHighlight])?
    for (y, (row, mark)) in zip(scroll.rows, marks).enumerated() {
      let line = document[line: row.line]
      let found = asked.flatMap { $0.line == row.line ? $0.highlights : nil }
      let highlights = found ?? highlights(row.line, line)
      asked = (row.line, highlights)
      painter.put(row, of: line, from: mark, at: y, highlights: highlights, look: look)
    }
    placeCursor(in: &painter, scroll)
  }
}

extension TextField: CellDrawn {
  /// Draws the text around the caret and the proposed completion after it.
  public func draw(in painter: inout Painter, theme: Theme) {
    layoutSubviews()
    painter.fill(painter.bounds, style: theme.field)
    guard let row = scroll.rows.first else { return }
    let text = text
    let look = look(theme.field, theme, left: scroll.left)
    let mark = state.layout.mark(forColumn: scroll.left, in: row, of: state.document)
    painter.put(row, of: text, from: mark, at: 0, highlights: highlights(text), look: look)
    let faint = theme.field.foreground(theme.faint.foreground)
    if text.isEmpty {
      painter.put(placeholder, in: painter.bounds, style: faint)
    } else if !completionRest.isEmpty {
      let column = state.layout.column(of: state.document.end, in: state.document)
      painter.put(completionRest, at: Point(x: column - scroll.left, y: 0), style: faint)
    }
    placeCursor(in: &painter, scroll)
  }
}

extension EditedControl {
  fileprivate func look(_ style: TextStyle, _ theme: Theme, left: Int) -> TextRowLook {
    TextRowLook(
      style: isAvailable ? style : theme.disabled, highlightStyle: theme.highlight,
      selectionStyle: hasFocus ? theme.selection : theme.inactiveSelection,
      selection: state.selection.range, left: left)
  }

  fileprivate func placeCursor(in painter: inout Painter, _ scroll: TextScroll) {
    guard hasFocus, let caret = caretCell(scroll) else { return }
    // Trailing spaces may exceed the width; the cursor then stays in the last column.
    let last = state.layout.width == nil ? caret.x : painter.size.width - 1
    painter.placeCursor(at: Point(x: min(caret.x, last), y: caret.y))
  }
}
