extension Button: CellDrawn {
  /// Draws the button.
  public func draw(in painter: inout Painter, theme: Theme) {
    let style =
      !isAvailable
      ? theme.disabled
      : hasFocus ? theme.selection : isDestructive ? theme.destructive : theme.button
    let sides = isDefault ? ("<", ">") : ("[", "]")
    painter.put(
      "\(sides.0) \(title) \(sides.1)", in: painter.bounds, alignment: .center, style: style)
  }
}
