import RunnelText

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
      let highlights = found ?? allHighlights(row.line, line)
      asked = (row.line, highlights)
      painter.put(row, of: line, from: mark, at: y, highlights: highlights, look: look)
    }
    placeCursor(in: &painter, scroll)
  }
}

extension TextField: CellDrawn {
  /// Draws the text around the caret, the proposed completion after it, and outside of a ``Form``
  /// the validation message at the end.
  public func draw(in painter: inout Painter, theme: Theme) {
    layoutSubviews()
    let message = validationMessage.flatMap { $0.isEmpty || !isAvailable ? nil : $0 }
    let style = message == nil ? theme.field : theme.invalid.adding(theme.field.effects)
    painter.fill(painter.bounds, style: style)
    guard let row = scroll.rows.first else { return }
    // The closure that provides highlights may change the field.
    var shown = shownState
    let text = shown.document.text
    let look = look(style, theme, left: scroll.left)
    let mark = shown.layout.mark(forColumn: scroll.left, in: row, of: shown.document)
    let marked = isSecure ? [] : highlights(text)
    painter.put(row, of: text, from: mark, at: 0, highlights: marked, look: look)
    let faint = style.foreground(theme.faint.foreground)
    var end = shown.layout.column(of: shown.document.end, in: shown.document) - scroll.left
    if text.isEmpty {
      painter.put(placeholder, in: painter.bounds, style: faint)
      end = placeholder.cellWidth
    } else if !completionRest.isEmpty {
      end = painter.put(completionRest, at: Point(x: end, y: 0), style: faint)
    }
    if let message, !isInForm {
      let rest = painter.size.width.minus(end).minus(2)
      let place = Rect(x: painter.size.width - rest, y: 0, width: rest, height: 1)
      painter.put(message, in: place, alignment: .trailing, style: style)
    }
    placeCursor(in: &painter, scroll)
  }
}

extension EditedControl {
  fileprivate func look(_ style: TextStyle, _ theme: Theme, left: Int) -> TextRowLook {
    TextRowLook(
      style: isAvailable ? style : theme.disabled, highlightStyle: theme.highlight,
      selectionStyle: hasFocus ? theme.selection : theme.inactiveSelection,
      selection: shownState.selection.range, left: left)
  }

  fileprivate func placeCursor(in painter: inout Painter, _ scroll: TextScroll) {
    guard hasFocus, let caret = caretCell(scroll) else { return }
    // Trailing spaces may exceed the width; the cursor then stays in the last column.
    let last = shownState.layout.width == nil ? caret.x : painter.size.width - 1
    painter.placeCursor(at: Point(x: min(caret.x, last), y: caret.y))
  }
}
