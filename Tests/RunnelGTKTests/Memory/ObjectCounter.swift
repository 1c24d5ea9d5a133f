#if GTK
import CGTK

@testable import RunnelGTK

/// Counts the objects of GTK and of Swift that are still alive.
@MainActor
final class ObjectCounter {
  private var widgets: [UnsafeMutableRawPointer: String] = [:]
  private var objects: [Weak] = []

  private struct Weak {
    weak var object: AnyObject?
  }

  /// The kinds of the counted objects of Swift that are alive.
  var livingObjects: [String] {
    objects.compactMap { weak in weak.object.map { "\(Swift.type(of: $0))" } }
  }

  /// The classes of the counted objects of GTK that are alive.
  var livingWidgets: [String] { widgets.values.sorted() }

  func add(_ object: AnyObject) { objects.append(Weak(object: object)) }

  /// Counts a widget, all widgets in it, and the objects that belong to them.
  func add(widgetsIn root: Widget) {
    // All windows of a display share the window of its tool tips.
    if text(of: g_type_name(runnel_type_of(root))) == "GtkTooltipWindow" { return }
    add(root)
    let controllers = made(gtk_widget_observe_controllers(root))
    for index in 0..<g_list_model_get_n_items(controllers) {
      guard let controller = g_list_model_get_item(controllers, index) else { continue }
      add(controller.assumingMemoryBound(to: GObject.self))
      g_object_unref(controller)
    }
    g_object_unref(UnsafeMutableRawPointer(controllers))
    if runnel_is_a(root, gtk_text_view_get_type()) != 0,
      let buffer = gtk_text_view_get_buffer(cast(root))
    {
      add(buffer)
    }
    var next = gtk_widget_get_first_child(root)
    while let child = next {
      add(widgetsIn: child)
      next = gtk_widget_get_next_sibling(child)
    }
  }

  private func add<Object>(_ object: UnsafeMutablePointer<Object>) {
    widgets[object] = text(of: g_type_name(runnel_type_of(object)))
    // Safety: the counter of a test lives as long as the test, and so do the objects that it counts.
    g_object_weak_ref(
      cast(object),
      { counter, object in
        nonisolated(unsafe) let (counter, object) = (counter, object)
        MainActor.assumeIsolated {
          guard let counter, let object else { return }
          Unmanaged<ObjectCounter>.fromOpaque(counter).takeUnretainedValue().widgets[object] = nil
        }
      }, Unmanaged.passUnretained(self).toOpaque())
  }
}
#endif
