extension Slider: CellDrawn {
  /// Draws the track and the knob.
  public func draw(in painter: inout Painter, theme: Theme) {
    let (taken, rest, mark) =
      !isAvailable
      ? (theme.disabled, theme.disabled, theme.disabled)
      : (theme.progress, theme.faint, hasFocus ? theme.selection : theme.text)
    painter.horizontalLine(from: .zero, length: painter.size.width, style: rest)
    painter.horizontalLine(from: .zero, length: knob, .heavy, style: taken)
    painter.put("●", at: Point(x: knob, y: 0), style: mark)
  }
}
