extension Checkbox: CellDrawn {
  /// Draws the checkbox.
  public func draw(in painter: inout Painter, theme: Theme) {
    let style = !isAvailable ? theme.disabled : hasFocus ? theme.selection : theme.text
    painter.put("[\(isOn ? "x" : " ")] \(title)", in: painter.bounds, style: style)
  }
}
