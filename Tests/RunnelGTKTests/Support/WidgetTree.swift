#if GTK
import CGTK
import RunnelDesk

@testable import RunnelGTK

/// The widgets of a window as indented text.
///
/// A line has the class of a widget, its names for style sheets, its role for assistive technology,
/// the text that it shows and its state. Widgets that Runnel places in cells have a frame in cells of the
/// window. There are no pixels and no addresses, so the text is the same with every font.
@MainActor
struct WidgetTree {
  private let window: WindowMirror
  private var lines: [String] = []
  /// The widgets in which places are measured in pixels.
  private var measured: Set<Widget> = []

  /// Returns the text for a window.
  static func text(of window: WindowMirror) -> String {
    var tree = WidgetTree(window: window)
    tree.add(window.widget, depth: 0)
    return tree.lines.map { $0 + "\n" }.joined()
  }

  private init(window: WindowMirror) {
    self.window = window
    window.forEachMirror { if $0.isMeasured { measured.insert($0.container.widget) } }
  }

  private mutating func add(_ widget: Widget, depth: Int) {
    let type = RunnelGTK.text(of: g_type_name(runnel_type_of(widget)))
    // The drawings of a native widget, and the tool tip that all windows of a display share.
    if ["GtkGizmo", "GtkBuiltinIcon", "GtkTooltipWindow"].contains(type) { return }
    let isHidden =
      !Bool(gtk_widget_get_visible(widget)) || !Bool(gtk_widget_get_child_visible(widget))
    var words = [type + name(of: widget)]
    if isHidden {
      words.append("hidden")
    } else {
      words += [role(of: widget), shownText(of: widget)].compactMap { $0 } + states(of: widget)
      if let frame = frame(of: widget) { words.append(frame) }
    }
    lines.append(String(repeating: "  ", count: depth) + words.joined(separator: " "))
    if isHidden || ["GtkSwitch", "GtkScrollbar", "GtkProgressBar"].contains(type) { return }
    var child = gtk_widget_get_first_child(widget)
    while let next = child {
      add(next, depth: depth + 1)
      child = gtk_widget_get_next_sibling(next)
    }
  }

  // MARK: - Words

  /// The name and the classes for style sheets, unless they say no more than the class of the widget.
  private func name(of widget: Widget) -> String {
    let name = RunnelGTK.text(of: gtk_widget_get_css_name(widget))
    let isPlain = name == "widget" || Bool(runnel_is_a(widget, gtk_window_get_type()))
    var classes: [String] = []
    if let pointer = gtk_widget_get_css_classes(widget) {
      var next = pointer
      while let text = next.pointee {
        classes.append(String(cString: text))
        next += 1
      }
      g_strfreev(pointer)
    }
    // The desktop decides who draws the frame of a window.
    classes.removeAll { ["background", "csd", "solid-csd"].contains($0) }
    return (isPlain ? "" : ":\(name)") + classes.sorted().map { ".\($0)" }.joined()
  }

  private func role(of widget: Widget) -> String? {
    let role = gtk_accessible_get_accessible_role(cast(widget))
    let roles = made(g_type_class_ref(gtk_accessible_role_get_type()))
    defer { g_type_class_unref(roles) }
    let value = g_enum_get_value(
      roles.assumingMemoryBound(to: GEnumClass.self), gint(role.rawValue))
    let name = RunnelGTK.text(of: value?.pointee.value_nick)
    return ["widget", "generic", "none", "presentation", "label", "window"].contains(name)
      ? nil : "<\(name)>"
  }

  private func shownText(of widget: Widget) -> String? {
    func isA(_ type: GType) -> Bool { Bool(runnel_is_a(widget, type)) }
    if isA(gtk_window_get_type()) { return quoted(gtk_window_get_title(cast(widget))) }
    if isA(gtk_label_get_type()) { return quoted(gtk_label_get_text(cast(widget))) }
    if isA(gtk_text_get_type()) {
      let text = quoted(gtk_editable_get_text(cast(widget)))
      return Bool(gtk_text_get_visibility(cast(widget))) ? text : "secret \(text)"
    }
    if isA(gtk_image_get_type()) {
      return RunnelGTK.text(of: gtk_image_get_icon_name(cast(widget)))
    }
    if isA(gtk_text_view_get_type()) {
      let buffer = made(gtk_text_view_get_buffer(cast(widget)))
      var (start, end) = (GtkTextIter(), GtkTextIter())
      gtk_text_buffer_get_bounds(buffer, &start, &end)
      return RunnelGTK.text(freeing: gtk_text_buffer_get_text(buffer, &start, &end, 1))
        .debugDescription
    }
    if isA(gtk_progress_bar_get_type()) { return "\(gtk_progress_bar_get_fraction(cast(widget)))" }
    if isA(gtk_range_get_type()) { return values(of: made(gtk_range_get_adjustment(cast(widget)))) }
    if isA(gtk_scrollbar_get_type()) {
      return values(of: made(gtk_scrollbar_get_adjustment(cast(widget))))
    }
    return nil
  }

  private func quoted(_ pointer: UnsafePointer<CChar>?) -> String {
    RunnelGTK.text(of: pointer).debugDescription
  }

  private func values(of adjustment: UnsafeMutablePointer<GtkAdjustment>) -> String {
    let (value, upper) = (
      gtk_adjustment_get_value(adjustment), gtk_adjustment_get_upper(adjustment)
    )
    return "\(value) of \(gtk_adjustment_get_lower(adjustment))...\(upper)"
  }

  private func states(of widget: Widget) -> [String] {
    let flags = gtk_widget_get_state_flags(widget).rawValue
    var states: [String] = []
    for (state, name) in [
      (GTK_STATE_FLAG_CHECKED, "checked"), (GTK_STATE_FLAG_SELECTED, "selected"),
    ]
    where flags & state.rawValue != 0 {
      states.append(name)
    }
    if !Bool(gtk_widget_get_sensitive(widget)) { states.append("disabled") }
    if gtk_window_get_focus(cast(window.widget)) == widget { states.append("focused") }
    return states
  }

  /// The frame in cells. Only Runnel's containers and the parts of rows are placed in whole cells.
  private func frame(of widget: Widget) -> String? {
    let name = RunnelGTK.text(of: gtk_widget_get_css_name(widget))
    guard Bool(runnel_is_a(widget, gtk_fixed_get_type())) || ["cell", "item", "tab"].contains(name)
    else { return nil }
    let parents = sequence(first: widget, next: { gtk_widget_get_parent($0) })
    if parents.contains(where: measured.contains) { return nil }
    var area = graphene_rect_t()
    guard Bool(gtk_widget_compute_bounds(widget, window.contentWidget, &area)) else { return nil }
    func cells(_ pixels: Float, _ length: Double) -> Int {
      Int((Double(pixels) / length).rounded())
    }
    let (width, height) = (window.metrics.width, window.metrics.height)
    let (left, top) = (cells(area.origin.x, width), cells(area.origin.y, height))
    let right = cells(area.origin.x + area.size.width, width)
    let bottom = cells(area.origin.y + area.size.height, height)
    return "\(left),\(top) \(right - left)×\(bottom - top)"
  }
}
#endif
