import RunnelText

// Toasts and tool tips, which are drawn above all windows.
extension Painter {
  /// Draws a toast in the row above the last one. If there is too little room, the message is
  /// truncated before the action. Returns the cells that it occupies.
  @MainActor
  mutating func draw(_ toast: Toast, theme: Theme) -> Rect {
    let key = toast.key.map { " \($0.label)" } ?? ""
    let action = toast.action.map { "  \($0)\(key)" } ?? ""
    let message = toast.message.split(whereSeparator: \.isNewline).joined(separator: " ")
    let width = min(message.cellWidth.plus(action.cellWidth).plus(2), size.width)
    let frame = Rect(
      x: (size.width - width) / 2, y: max(size.height - 2, 0), width: width,
      height: min(size.height, 1))
    fill(frame, style: theme.floating)
    let messageWidth = max(width - 2 - action.cellWidth, 0)
    let start = Point(x: frame.minX + 1, y: frame.minY)
    put(
      message, in: Rect(origin: start, size: Size(width: messageWidth, height: frame.height)),
      style: theme.floating)
    let room = Rect(
      x: start.x + messageWidth, y: start.y, width: min(action.cellWidth, width - 2),
      height: frame.height)
    put(action, in: room, style: theme.floating.adding(.bold))
    return frame
  }

  /// Draws a tool tip below the mouse, or above if there is no room below.
  mutating func draw(toolTip text: String, at point: Point, theme: Theme) {
    let lines = text.wrapped(to: max(min(size.width - 2, 40), 1))
    let width = min((lines.map(\.cellWidth).max() ?? 0) + 2, size.width)
    let isBelow = point.y + 1 + lines.count <= size.height || point.y < lines.count
    let x = max(min(point.x, size.width - width), 0)
    let y = isBelow ? point.y + 1 : point.y - lines.count
    for (row, line) in lines.enumerated() {
      let frame = Rect(x: x, y: y + row, width: width, height: 1)
      fill(frame, style: theme.floating)
      let room = Rect(x: x + 1, y: y + row, width: width - 2, height: 1)
      put(line, in: room, style: theme.floating)
    }
  }
}
