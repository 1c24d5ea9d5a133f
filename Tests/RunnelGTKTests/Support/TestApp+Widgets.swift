#if GTK
import CGTK
import RunnelDesk

@testable import RunnelGTK

// Access to native widgets, and clicks.
extension TestApp {
  /// Lets GTK work until a condition is true, for at most five seconds.
  func settle(until isDone: () -> Bool) {
    let end = ContinuousClock.now + .seconds(5)
    repeat { settle() } while !isDone() && ContinuousClock.now < end
  }

  /// The widget with the focus of GTK.
  var focus: Widget? {
    backend.windows.last.flatMap { gtk_window_get_focus(cast($0.widget)) }
  }

  func mirror(of view: View) -> ViewMirror? { try? mirror(view) }

  /// Returns the native widgets of a class that show a view.
  func widgets(_ type: GType, of view: View) -> [Widget] {
    guard let root = mirror(of: view)?.container.widget else { return [] }
    return [Widget](below: root).filter { Bool(runnel_is_a($0, type)) }
  }

  /// Presses and releases the left button at a cell of a view.
  func click(_ view: View, x: Int = 0, y: Int = 0) {
    let origin = view.frameInWindow.origin
    let place = Point(x: origin.x + x, y: origin.y + y)
    backend.send(.mouse(MouseEvent(.press(.left), at: place)))
    backend.send(.mouse(MouseEvent(.release(.left), at: place)))
    settle()
  }
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
