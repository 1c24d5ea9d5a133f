extension SplitView: CellDrawn {
  /// Draws the divider.
  public func draw(in painter: inout Painter, theme: Theme) {
    guard hasDivider else { return }
    switch axis {
    case .horizontal:
      painter.verticalLine(
        from: Point(x: divider, y: 0), length: painter.size.height, style: theme.faint)
    case .vertical:
      painter.horizontalLine(
        from: Point(x: 0, y: divider), length: painter.size.width, style: theme.faint)
    }
  }
}
