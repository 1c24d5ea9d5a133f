import RunnelDesk
import RunnelStreams
import RunnelTesting

/// An application with one window, which shows one view: what a test of a control needs.
@MainActor
struct Stage {
  let backend: HeadlessBackend
  let application: Application
  let window: Window

  /// Shows a view, which gets the focus.
  init(_ view: View, width: Int = 20, height: Int = 4, focusing focused: View? = nil) {
    backend = HeadlessBackend(Size(width: width, height: height))
    application = Application(backend: backend, scheduler: TestScheduler())
    window = Window(content: view)
    application.show(window)
    window.makeFirstResponder(focused ?? view)
  }

  func press(_ keys: String...) {
    for key in keys { backend.press(key) }
  }

  func mouse(_ action: MouseEvent.Action, _ x: Int, _ y: Int, _ modifiers: Modifiers = []) {
    backend.send(.mouse(MouseEvent(action, at: Point(x: x, y: y), modifiers)))
  }

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
