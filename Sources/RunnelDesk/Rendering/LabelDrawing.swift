extension Label: CellDrawn {
  /// Draws the label.
  public func draw(in painter: inout Painter, theme: Theme) {
    let plain = isAvailable ? isFaint ? theme.faint : theme.text : theme.disabled
    let style = self.style == .body ? plain : plain.adding(.bold)
    for (y, line) in rows(width: painter.size.width).enumerated() {
      let row = Rect(x: 0, y: y, width: painter.size.width, height: 1)
      painter.put(line, in: row, alignment: alignment, style: style)
    }
  }
}
