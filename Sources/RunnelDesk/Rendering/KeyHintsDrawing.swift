import RunnelText

extension KeyHints: CellDrawn {
  /// Draws the hints that fit, with the keys highlighted.
  public func draw(in painter: inout Painter, theme: Theme) {
    let isAvailable = isAvailable
    for (hint, columns) in placedHints {
      let start = Point(x: columns.lowerBound, y: 0)
      painter.put(hint.key, at: start, style: isAvailable ? theme.button : theme.disabled)
      let next = Point(x: start.x + hint.key.cellWidth + 1, y: 0)
      painter.put(hint.title, at: next, style: isAvailable ? theme.text : theme.disabled)
    }
  }
}
