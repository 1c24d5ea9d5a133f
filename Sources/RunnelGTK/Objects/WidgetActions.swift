#if GTK
import CGTK

/// Named actions of a widget, which assistive technology lists and performs.
@MainActor
final class WidgetActions {
  private let signals = Signals()

  /// Adds actions to a widget. Each has the name of the group, a period and its own name.
  init(_ group: String, of widget: Widget, _ actions: [String: @MainActor () -> Void]) {
    let list = made(g_simple_action_group_new())
    for (name, perform) in actions {
      let action = made(g_simple_action_new(name, nil))
      signals.connect(action, "activate") { _ in perform() }
      g_action_map_add_action(OpaquePointer(list), action)
      g_object_unref(UnsafeMutableRawPointer(action))
    }
    gtk_widget_insert_action_group(widget, group, OpaquePointer(list))
    g_object_unref(list)
  }

  func end() { signals.disconnectAll() }
}
#endif
