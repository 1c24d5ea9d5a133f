extension Link: CellDrawn {
  /// Draws the underlined text.
  public func draw(in painter: inout Painter, theme: Theme) {
    let style = !isAvailable ? theme.disabled : hasFocus ? theme.selection : theme.text
    painter.put(title, in: painter.bounds, style: style.adding(.underline))
  }
}
