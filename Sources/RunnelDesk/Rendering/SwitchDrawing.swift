extension Switch: CellDrawn {
  /// Draws the switch: its knob is at the right when it is on.
  public func draw(in painter: inout Painter, theme: Theme) {
    let style = !isAvailable ? theme.disabled : hasFocus ? theme.selection : theme.text
    painter.put("\(isOn ? "━━●" : "○──") \(title)", in: painter.bounds, style: style)
    if isOn && isAvailable && !hasFocus {
      painter.restyle(Rect(x: 0, y: 0, width: 3, height: 1)) { $0 = theme.progress }
    }
  }
}
