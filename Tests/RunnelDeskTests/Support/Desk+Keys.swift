import RunnelDesk

extension Desk {
  /// One in which a view has the focus: all that there is, if nothing else is said.
  init(_ content: View? = nil, focusing view: View, width: Int = 20, height: Int = 4) {
    self.init(content ?? view, width: width, height: height)
    window.makeFirstResponder(view)
  }

  /// Presses keys, one after the other.
  func press(_ keys: String...) {
    for key in keys { backend.press(key) }
  }

  /// Clicks at a cell, some times in short order.
  func click(_ x: Int, _ y: Int, times: Int = 1) {
    for _ in 0..<times { backend.click(Point(x: x, y: y)) }
  }

  /// What the screen shows, and how.
  var styled: String { backend.grid.styledText }
  var lines: [String] { backend.grid.lines }
  var cursor: Point? { backend.grid.cursor }
}

extension TextSelection {
  /// From a place in the first line to another one.
  init(_ anchor: Int, _ head: Int) {
    self.init(
      anchor: TextPosition(line: 0, offset: anchor), head: TextPosition(line: 0, offset: head))
  }
}
