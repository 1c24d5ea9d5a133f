#if GTK
import CGTK

/// A widget whose children are placed by a closure.
@MainActor
final class Container {
  let widget: Widget
  /// Places the children in an area of this size.
  var place: (_ width: Int, _ height: Int) -> Void = { _, _ in }
  /// Returns the least length and the wanted length along an axis. By default, it asks for no room.
  var measure: (_ axis: GtkOrientation) -> (least: Int, wanted: Int) = { _ in (0, 0) }

  private static let key = "runnel-container"

  /// Creates an empty container with a name for style sheets.
  init(name: String = "widget", role: GtkAccessibleRole = GTK_ACCESSIBLE_ROLE_GENERIC) {
    widget = made(runnel_new_widget(gtk_fixed_get_type(), name, role))
    g_object_ref_sink(widget)
    gtk_widget_set_overflow(widget, GTK_OVERFLOW_HIDDEN)
    let layout = gtk_custom_layout_new(
      nil,
      { widget, axis, _, least, wanted, _, _ in
        // Safety: GTK measures widgets on the main thread only.
        nonisolated(unsafe) let widget = widget
        let lengths = MainActor.assumeIsolated { Container.of(widget)?.measure(axis) }
        least?.pointee = gint(lengths?.least ?? 0)
        wanted?.pointee = gint(lengths?.wanted ?? 0)
      },
      { widget, width, height, _ in
        // Safety: GTK lays out widgets on the main thread only.
        nonisolated(unsafe) let widget = widget
        MainActor.assumeIsolated { Container.of(widget)?.place(Int(width), Int(height)) }
      })
    gtk_widget_set_layout_manager(widget, layout)
    g_object_set_data(cast(widget), Self.key, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Returns the container of a widget; nil after its end.
  private static func of(_ widget: Widget?) -> Container? {
    guard let widget, let data = g_object_get_data(cast(widget), key) else { return nil }
    // Safety: the container removes the pointer before it is released.
    return Unmanaged<Container>.fromOpaque(data).takeUnretainedValue()
  }

  /// Adds a child in front of the others.
  func add(_ child: Widget) { gtk_widget_insert_before(child, widget, nil) }

  /// Removes the widget from its parent and releases it.
  func end() {
    place = { _, _ in }
    measure = { _ in (0, 0) }
    g_object_set_data(cast(widget), Self.key, nil)
    while let child = gtk_widget_get_first_child(widget) { gtk_widget_unparent(child) }
    if gtk_widget_get_parent(widget) != nil { gtk_widget_unparent(widget) }
    g_object_unref(widget)
  }

  /// Gives a child an area, or more if it needs more: the rest is cut off.
  static func give(_ area: GtkAllocation, to child: Widget) {
    var area = area
    area.width = max(area.width, 0)
    area.height = max(area.height, 0)
    var least: gint = 0
    gtk_widget_measure(child, GTK_ORIENTATION_HORIZONTAL, -1, &least, nil, nil, nil)
    area.width = max(area.width, least)
    gtk_widget_measure(child, GTK_ORIENTATION_VERTICAL, area.width, &least, nil, nil, nil)
    // A child that is too high, such as a button of a large theme, is centred.
    if least > area.height { area.y -= (least - area.height) / 2 }
    area.height = max(area.height, least)
    gtk_widget_size_allocate(child, &area, -1)
  }
}

/// Returns the length that a widget wants along an axis.
@MainActor
func naturalLength(of widget: Widget, _ axis: GtkOrientation) -> Int {
  var length: gint = 0
  gtk_widget_measure(widget, axis, -1, nil, &length, nil, nil)
  return Int(length)
}
#endif
