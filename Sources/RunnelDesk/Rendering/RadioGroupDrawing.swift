extension RadioGroup: CellDrawn {
  /// Draws the options. In the focused group the selected option, or else the first one, is marked.
  public func draw(in painter: inout Painter, theme: Theme) {
    for (index, place) in places(in: painter.size.width).enumerated() {
      let isMarked = hasFocus && index == selectedIndex ?? 0
      let style = !isAvailable ? theme.disabled : isMarked ? theme.selection : theme.text
      let mark = index == selectedIndex ? "(•)" : "( )"
      let row = place.intersection(painter.bounds)
      painter.put("\(mark) \(titles[index])", in: row, style: style)
    }
  }
}
