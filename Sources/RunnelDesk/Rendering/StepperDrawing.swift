extension Stepper: CellDrawn {
  /// Draws the number between its buttons. A button that cannot change the number looks disabled.
  public func draw(in painter: inout Painter, theme: Theme) {
    let button = isAvailable ? theme.button : theme.disabled
    let style = !isAvailable ? theme.disabled : hasFocus ? theme.selection : theme.text
    let width = Self.buttonWidth
    painter.put("[-]", at: .zero, style: value > range.lowerBound ? button : theme.disabled)
    let number = Rect(x: width + 1, y: 0, width: numberWidth, height: 1)
    painter.fill(number, style: style)
    painter.put(shownText, in: number, alignment: .trailing, style: style)
    if isTyping && hasFocus { painter.placeCursor(at: Point(x: number.maxX, y: 0)) }
    painter.put(
      "[+]", at: Point(x: number.maxX + 1, y: 0),
      style: value < range.upperBound ? button : theme.disabled)
  }
}
