extension ScrollView: CellDrawn {
  /// Draws the scroll bar, if the content is higher than the view.
  public func draw(in painter: inout Painter, theme: Theme) {
    guard overflows, painter.size.width > 1 else { return }
    let style = hasFocus ? theme.text : theme.faint
    painter.scrollBar(indicator, at: Point(x: painter.size.width - 1, y: 0), style: style)
  }
}
