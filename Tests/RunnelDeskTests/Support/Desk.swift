import RunnelDesk
import RunnelStreams
import RunnelTesting

/// An application with a window, on a screen that nobody sees.
@MainActor
struct Desk {
  let backend: HeadlessBackend
  let scheduler = TestScheduler()
  let application: Application
  let window: Window

  init(_ content: View, width: Int = 20, height: Int = 4) {
    backend = HeadlessBackend(Size(width: width, height: height))
    application = Application(backend: backend, scheduler: scheduler)
    window = Window(title: "Window", content: content)
    application.show(window)
  }

  /// What is on the screen, without empty lines at the end.
  var text: String {
    var lines = backend.grid.lines
    while lines.last == "" { lines.removeLast() }
    return lines.joined(separator: "\n")
  }

  /// How a cell looks.
  func style(x: Int, y: Int) -> TextStyle { backend.grid[Point(x: x, y: y)].style }

  /// Does something with the mouse.
  func mouse(_ action: MouseEvent.Action, x: Int, y: Int) {
    backend.send(.mouse(MouseEvent(action, at: Point(x: x, y: y))))
  }
}

/// What happened, in order.
@MainActor
final class Log {
  var entries: [String] = []

  func add(_ entry: String) { entries.append(entry) }

  /// What happened since it was asked last.
  func take() -> [String] {
    defer { entries = [] }
    return entries
  }
}
