import RunnelDesk
import RunnelStreams
import RunnelTesting

/// An application with one window on a headless screen.
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

  /// The screen's text, without empty lines at the end.
  var text: String {
    var lines = backend.grid.lines
    while lines.last == "" { lines.removeLast() }
    return lines.joined(separator: "\n")
  }

  /// Returns the style of a cell.
  func style(x: Int, y: Int) -> TextStyle { backend.grid[Point(x: x, y: y)].style }

  /// Sends a mouse event.
  func mouse(_ action: MouseEvent.Action, x: Int, y: Int) {
    backend.send(.mouse(MouseEvent(action, at: Point(x: x, y: y))))
  }
}

/// A log of events in order.
@MainActor
final class Log {
  var entries: [String] = []

  func add(_ entry: String) { entries.append(entry) }

  /// Returns the entries since the last call and clears the log.
  func take() -> [String] {
    defer { entries = [] }
    return entries
  }
}
