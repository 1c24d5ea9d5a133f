import RunnelText

extension StatusBar: CellDrawn {
  /// Draws the status bar.
  public func draw(in painter: inout Painter, theme: Theme) {
    let style = theme.status
    painter.fill(painter.bounds, style: style)
    // The left text has precedence. The right text gets the remaining cells of the first row.
    let width = painter.size.width
    for (y, row) in leftRows(in: painter.size).enumerated() {
      painter.put(row, in: Rect(x: 1, y: y, width: width - 2, height: 1), style: style)
    }
    let rest = freeColumns(in: painter.size)
    painter.put(
      rightText, in: Rect(x: width - 1 - rest, y: 0, width: rest, height: 1), alignment: .trailing,
      style: style)
  }
}
