extension PopUpButton: CellDrawn {
  /// Draws the selected choice.
  public func draw(in painter: inout Painter, theme: Theme) {
    let style = !isAvailable ? theme.disabled : hasFocus ? theme.selection : theme.button
    let width = painter.size.width
    painter.fill(Rect(x: 0, y: 0, width: width, height: 1), style: style)
    painter.put("[", at: .zero, style: style)
    let room = Rect(x: 2, y: 0, width: width - 6, height: 1)
    painter.put(selectedChoice ?? "", in: room, style: style)
    painter.put(" ▾ ]", at: Point(x: max(width - 4, 0), y: 0), style: style)
  }
}

extension ComboBox: CellDrawn {
  /// Draws the arrow after the field.
  public func draw(in painter: inout Painter, theme: Theme) {
    let style = isAvailable ? theme.button : theme.disabled
    painter.put("▾", at: Point(x: max(painter.size.width - 1, 0), y: 0), style: style)
  }
}
