import RunnelDesk

extension Desk {
  /// Creates a desk in which `view` has the focus. The view is the whole content by default.
  init(_ content: View? = nil, focusing view: View, width: Int = 20, height: Int = 4) {
    self.init(content ?? view, width: width, height: height)
    window.makeFirstResponder(view)
  }

  /// Presses keys, one after the other.
  func press(_ keys: String...) {
    for key in keys { backend.press(key) }
  }

  /// Clicks a cell `times` times in quick succession.
  func click(_ x: Int, _ y: Int, times: Int = 1) {
    for _ in 0..<times { backend.click(Point(x: x, y: y)) }
  }

  /// The screen's text and styles.
  var styled: String { backend.grid.styledText }
  var lines: [String] { backend.grid.lines }
  var cursor: Point? { backend.grid.cursor }
}

extension TextSelection {
  /// Creates a selection between two offsets in the first line.
  init(_ anchor: Int, _ head: Int) {
    self.init(
      anchor: TextPosition(line: 0, offset: anchor), head: TextPosition(line: 0, offset: head))
  }
}
