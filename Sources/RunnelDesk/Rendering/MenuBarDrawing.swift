extension MenuBar: CellDrawn {
  /// Draws the titles of the menus.
  public func draw(in painter: inout Painter, theme: Theme) {
    painter.fill(painter.bounds, style: theme.menu)
    for menu in menus {
      let style = menu === openMenu ? theme.selection : theme.menu
      painter.put(" \(menu.title) ", at: Point(x: place(of: menu).lowerBound, y: 0), style: style)
    }
  }
}
