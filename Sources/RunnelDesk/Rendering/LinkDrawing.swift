import RunnelText

extension Link: CellDrawn {
  /// Draws the underlined text. Terminals can open it themselves if the target is a web address.
  public func draw(in painter: inout Painter, theme: Theme) {
    let style = !isAvailable ? theme.disabled : hasFocus ? theme.selection : theme.text
    painter.put(title, in: painter.bounds, style: style.adding(.underline))
    if isAvailable, let address = target.openableAddress {
      let width = min(title.cellWidth, painter.size.width)
      painter.link(Rect(x: 0, y: 0, width: width, height: 1), to: address)
    }
  }
}
