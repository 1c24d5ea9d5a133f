extension TabView: CellDrawn {
  /// Draws the titles.
  public func draw(in painter: inout Painter, theme: Theme) {
    let selected = hasFocus ? theme.selection : theme.inactiveSelection
    for (index, place) in tabs(in: painter.size.width) {
      let isSelected = index == selectedIndex
      let style = !isAvailable ? theme.disabled : isSelected ? selected : theme.text
      painter.fill(place, style: style)
      let title = Rect(x: place.minX + 1, y: 0, width: place.width - 1, height: 1)
      painter.put(pages[index].title, in: title, style: style)
    }
  }
}
