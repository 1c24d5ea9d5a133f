extension Form: CellDrawn {
  /// Draws the labels and the validation messages.
  public func draw(in painter: inout Painter, theme: Theme) {
    for row in rows {
      let style = row.control.isAvailable ? theme.text : theme.disabled
      painter.put(row.text, in: row.label, alignment: labelAlignment, style: style)
      for (index, line) in row.message.enumerated() {
        let place = Rect(
          x: row.frame.minX, y: row.frame.maxY + index,
          width: painter.size.width - row.frame.minX, height: 1)
        painter.put(line, in: place, style: theme.invalid)
      }
    }
  }
}
