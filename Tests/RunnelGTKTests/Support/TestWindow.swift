#if GTK
import CGTK
import Glibc
import RunnelDesk

@testable import RunnelGTK

/// True if there is a display on which windows can be shown.
let hasDisplay = getenv("DISPLAY") != nil || getenv("WAYLAND_DISPLAY") != nil

/// An application with one window on the display. Only one may exist at a time.
@MainActor
final class TestWindow {
  let backend: GTKBackend
  let application: Application
  let window: Window

  init(_ content: View, size: Size = Size(width: 60, height: 20)) throws {
    backend = try GTKBackend(identifier: "org.example.RunnelTests", size: size)
    application = Application(backend: backend)
    window = Window(title: "Test", content: content)
    application.show(window)
    pump { mirror(of: content).map { Bool(gtk_widget_get_mapped($0.container.widget)) } ?? false }
  }

  /// Lets GTK work until a condition is true, for at most five seconds.
  func pump(until isDone: () -> Bool = { true }) {
    let end = ContinuousClock.now + .seconds(5)
    repeat {
      backend.sync()
      while Bool(g_main_context_iteration(nil, 0)) {}
    } while !isDone() && ContinuousClock.now < end
  }

  /// The texts of the window, without spaces at the ends of lines.
  var lines: [String] {
    pump()
    return backend.grid.lines
  }

  /// The widget with the focus of GTK.
  var focus: Widget? {
    backend.windows.last.flatMap { gtk_window_get_focus(cast($0.widget)) }
  }

  func mirror(of view: View) -> Mirror? {
    backend.windows.lazy.compactMap { $0.knownMirror(of: view) }.first
  }

  /// Returns the native widgets of a class that show a view.
  func widgets(_ type: GType, of view: View) -> [Widget] {
    guard let root = mirror(of: view)?.container.widget else { return [] }
    return [Widget](below: root).filter { Bool(runnel_is_a($0, type)) }
  }

  func press(_ keys: String...) {
    for key in keys {
      if let press = KeyPress(key) { backend.send(.key(press)) }
    }
    pump()
  }

  /// Presses and releases the left button at a cell of a view.
  func click(_ view: View, x: Int = 0, y: Int = 0) {
    let origin = view.frameInWindow.origin
    let place = Point(x: origin.x + x, y: origin.y + y)
    backend.send(.mouse(MouseEvent(.press(.left), at: place)))
    backend.send(.mouse(MouseEvent(.release(.left), at: place)))
    pump()
  }

  func end() { application.end() }
}

extension [Widget] {
  /// The descendants of a widget, in order.
  @MainActor
  init(below root: Widget) {
    self = []
    var child = gtk_widget_get_first_child(root)
    while let widget = child {
      append(widget)
      append(contentsOf: [Widget](below: widget))
      child = gtk_widget_get_next_sibling(widget)
    }
  }
}
#endif
