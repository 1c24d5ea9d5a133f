extension MenuPanel: CellDrawn {
  package func draw(in painter: inout Painter, theme: Theme) {
    let layout = layout
    let box = layout.box
    let rows = max(box.height - 2, 0)
    scroll(toFit: rows)
    painter.placeCursor(at: nil)
    painter.fill(box, style: theme.menu)
    painter.border(box, style: theme.menu)
    for (row, item) in menu.items.dropFirst(top).prefix(rows).enumerated() {
      let line = Rect(x: box.minX, y: box.minY + 1 + row, width: box.width, height: 1)
      painter.within(line) { draw(item, in: &$0, theme: theme) }
    }
    let edge = box.maxX - 2
    if top > 0 { painter.put("▲", at: Point(x: edge, y: box.minY), style: theme.menu) }
    if top + rows < menu.items.count {
      painter.put("▼", at: Point(x: edge, y: box.maxY - 1), style: theme.menu)
    }
  }

  private func draw(_ item: MenuItem, in painter: inout Painter, theme: Theme) {
    let width = painter.size.width
    if item.isSeparator {
      let line = "├" + String(repeating: "─", count: max(width - 2, 0)) + "┤"
      painter.put(line, at: .zero, style: theme.menu)
      return
    }
    let style =
      !item.isEnabled ? theme.menu.adding(.dim) : item === current ? theme.selection : theme.menu
    let inside = Rect(x: 1, y: 0, width: width - 2, height: 1)
    painter.fill(inside, style: style)
    if item.isChecked { painter.put("✓", at: Point(x: 1, y: 0), style: style) }
    painter.put(item.title, at: Point(x: 3, y: 0), style: style)
    if let key = item.keyEquivalent {
      let room = Rect(x: 3, y: 0, width: width - 5, height: 1)
      painter.put(key.label, in: room, alignment: .trailing, style: style)
    }
  }
}
