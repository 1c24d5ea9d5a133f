import RunnelText

extension StatusBar: CellDrawn {
  /// Draws the status bar.
  public func draw(in painter: inout Painter, theme: Theme) {
    let style = theme.status
    painter.fill(painter.bounds, style: style)
    // The left text has precedence. The right text gets the remaining cells.
    let row = Rect(x: 1, y: 0, width: painter.size.width - 2, height: 1)
    let hint = window?.firstResponder?.toolTipOwner?.toolTip ?? window?.application?.quitHint
    let state = text.isEmpty ? hint ?? "" : text
    let left = message ?? state
    painter.put(left, in: row, style: style)
    let taken = min(left.cellWidth, max(row.width, 0))
    let rest = Rect(
      x: row.minX + taken + 1, y: 0, width: row.width - taken - 1, height: 1)
    painter.put(rightText, in: rest, alignment: .trailing, style: style)
  }
}
