extension Box: CellDrawn {
  /// Draws the border.
  public func draw(in painter: inout Painter, theme: Theme) {
    let style = isAvailable ? theme.border : theme.disabled
    painter.border(painter.bounds, lines, title: title, style: style)
  }
}
