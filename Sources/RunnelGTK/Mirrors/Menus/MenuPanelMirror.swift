#if GTK
import CGTK
import RunnelDesk

/// An open menu in a popover of GTK, which may be larger than the window.
///
/// The menu owns its current item, as it does on every backend. The window keeps the keyboard, and passes
/// its keys to the menu. So scripts, delegates and buttons that are held over an item need no code here.
/// `GtkPopoverMenu` would have another current item and other keys.
final class MenuPanelMirror: ViewMirror {
  private let panel: MenuPanel
  /// The parent is the content of the window, which has its place when the menu opens.
  private let widget = made(gtk_popover_new())
  private let box = made(
    runnel_new_widget(gtk_box_get_type(), "box", GTK_ACCESSIBLE_ROLE_MENU))
  private var rows: [MenuRow] = []
  /// The part of the window that the popover is shown next to.
  private var shownArea: Rect?
  /// The last place of the mouse over the popover, in the content of the window.
  private var mouse: (x: Double, y: Double)?

  init(_ panel: MenuPanel, in window: WindowMirror) {
    self.panel = panel
    super.init(panel, in: window)
    gtk_orientable_set_orientation(cast(box), GTK_ORIENTATION_VERTICAL)
    gtk_widget_set_focusable(box, 1)
    gtk_widget_add_css_class(widget, "menu")
    gtk_popover_set_child(cast(widget), box)
    // The window closes the menu. A popover that hides itself would take the keyboard from the window.
    gtk_popover_set_autohide(cast(widget), 0)
    gtk_popover_set_has_arrow(cast(widget), 0)
    gtk_popover_set_position(cast(widget), GTK_POS_BOTTOM)
    gtk_widget_set_halign(widget, GTK_ALIGN_START)
    gtk_widget_set_parent(widget, window.contentWidget)
    signals.connect(widget, "closed") { [weak self] _ in
      self?.panel.close()
      self?.window.backend.needsDisplay()
    }
    // The menu may be opened before its window is shown. It pops up then.
    signals.connect(container.widget, "map") { [weak self] _ in
      self?.window.backend.needsDisplay()
    }
    // GTK does not pass keys of a focused popover to the window.
    window.input.connectKeys(to: widget, signals)
    connectMouse()
  }

  private func connectMouse() {
    let motion = made(gtk_event_controller_motion_new())
    signals.connect(motion, "motion") { [weak self] arguments in
      // GDK repeats the place of a mouse that rests, without a time, while the menu opens under it.
      if gtk_event_controller_get_current_event_time(motion) == 0 { return }
      self?.mouseMoved(x: arguments.double(1), y: arguments.double(2))
    }
    gtk_widget_add_controller(widget, motion)
    let wheel = made(
      gtk_event_controller_scroll_new(
        GtkEventControllerScrollFlags(
          rawValue: GTK_EVENT_CONTROLLER_SCROLL_VERTICAL.rawValue
            | GTK_EVENT_CONTROLLER_SCROLL_DISCRETE.rawValue)))
    signals.answer(wheel, "scroll") { [weak self] arguments in
      guard let self, arguments.double(2) != 0 else { return false }
      panel.turnWheel(arguments.double(2) < 0 ? .up : .down)
      window.backend.needsDisplay()
      return true
    }
    gtk_widget_add_controller(widget, wheel)
  }

  // MARK: - Updating

  override func update() {
    super.update()
    panel.scroll(toFit: rowCount)
    let items = panel.menu.items.dropFirst(panel.top).prefix(rowCount)
    if !rows.lazy.map(\.item).elementsEqual(items, by: ===) { replaceRows(with: Array(items)) }
    let hasMarks = panel.menu.items.contains(where: \.isChecked)
    for row in rows { row.update(isCurrent: row.item === panel.current, hasMarks: hasMarks) }
    popUp()
  }

  private func replaceRows(with items: [MenuItem]) {
    for row in rows { remove(row) }
    rows = items.map { item in
      let row = MenuRow(item)
      row.connect { [weak self] in self?.activate(item) }
      gtk_box_append(cast(box), row.widget)
      return row
    }
  }

  private func remove(_ row: MenuRow) {
    row.end()
    gtk_box_remove(cast(box), row.widget)
  }

  /// The number of rows in three quarters of the height of the monitor.
  private var rowCount: Int {
    guard let surface = gtk_native_get_surface(cast(window.widget)),
      let monitor = gdk_display_get_monitor_at_surface(gdk_surface_get_display(surface), surface)
    else { return panel.menu.items.count }
    var area = GdkRectangle()
    gdk_monitor_get_geometry(monitor, &area)
    let height = rows.map { naturalLength(of: $0.widget, GTK_ORIENTATION_VERTICAL) }.max()
    return max(Int(area.height) * 3 / 4 / max(height ?? 0, window.metrics.pixels(rows: 1)), 1)
  }

  /// Shows the popover next to the widget of the view that has opened the menu.
  private func popUp() {
    var area = panel.layout.box
    if let opener = panel.opener, let mirror = window.knownMirror(of: opener) {
      let (frame, origin) = (opener.frameInWindow, mirror.origin)
      let inside = mirror.pixels(of: panel.anchorRect.offset(byX: -frame.minX, y: -frame.minY))
      area = Rect(inside).offset(byX: Int(origin.x), y: Int(origin.y))
      // A list of choices is at least as wide as its control.
      let isChoice = !(opener is MenuBar) && panel.anchorRect.width > 1
      gtk_widget_set_size_request(widget, isChoice ? gint(area.width) : -1, -1)
    }
    if area != shownArea {
      shownArea = area
      var place = GtkAllocation(area)
      gtk_popover_set_pointing_to(cast(widget), &place)
    }
    if !Bool(gtk_widget_get_visible(widget)), Bool(gtk_widget_get_mapped(window.contentWidget)) {
      gtk_popover_popup(cast(widget))
    }
  }

  override func end() {
    for row in rows { row.end() }
    rows = []
    super.end()
    gtk_popover_popdown(cast(widget))
    gtk_widget_unparent(widget)
  }

  override var popover: Widget? { widget }

  // MARK: - Focus and mouse

  /// The current item, so that assistive technology reads it.
  override var focusWidget: Widget { rows.first { $0.item === panel.current }?.widget ?? box }

  override var describedWidget: Widget { box }

  private func contains(_ part: Widget, x: Double, y: Double) -> Bool {
    var (area, place) = (graphene_rect_t(), graphene_point_t(x: Float(x), y: Float(y)))
    return Bool(gtk_widget_compute_bounds(part, widget, &area))
      && graphene_rect_contains_point(&area, &place)
  }

  private func mouseMoved(x: Double, y: Double) {
    // At the first place, the mouse may rest.
    let origin = window.origin(ofPopover: widget)
    let place = (x: x + origin.x, y: y + origin.y)
    let isMoved = mouse.map { $0 != place } ?? false
    mouse = place
    if !isMoved { return }
    panel.select(rows.first { contains($0.widget, x: x, y: y) }?.item)
    window.backend.needsDisplay()
  }

  override func takesButton(_ event: OpaquePointer) -> Bool {
    let kind = gdk_event_get_event_type(event)
    guard [GDK_BUTTON_PRESS, GDK_BUTTON_RELEASE].contains(kind),
      gdk_event_get_surface(event) == gtk_native_get_surface(cast(widget)),
      let (x, y) = WindowMirror.place(of: event, in: widget)
    else { return false }
    let row = rows.first { contains($0.widget, x: x, y: y) }
    if let row, kind == GDK_BUTTON_RELEASE, gdk_button_event_get_button(event) == 1 {
      activate(row.item)
    }
    return true
  }

  private func activate(_ item: MenuItem) {
    panel.activate(item)
    window.backend.needsDisplay()
  }

  /// A button that was pressed in the window may be held until the mouse is over an item.
  override func target(x: Double, y: Double) -> MouseTarget {
    let (origin, box) = (window.origin(ofPopover: widget), panel.layout.box)
    let inside = (x: x - origin.x, y: y - origin.y)
    if Bool(gtk_widget_get_mapped(widget)), contains(self.box, x: inside.x, y: inside.y) {
      let row = rows.firstIndex { contains($0.widget, x: inside.x, y: inside.y) }
      let cell = Point(x: box.minX + 1, y: box.minY + (row.map { $0 + 1 } ?? 0))
      return MouseTarget(mirror: self, cell: cell)
    }
    // Another place, such as the title of another menu.
    let other = window.targetBelowMenus(x: x, y: y).cell
    return MouseTarget(mirror: self, cell: box.contains(other) ? Point(x: -1, y: -1) : other)
  }

  // MARK: - Scripts

  override func texts() -> [(cell: Point, text: String)] {
    let origin = panel.layout.box.origin
    return rows.enumerated().map { index, row in
      let cell = Point(x: origin.x + 3, y: origin.y + index + 1)
      return (cell, row.item.isSeparator ? "" : row.item.title)
    }
  }
}

/// A row of an open menu: a check mark, a title and a key, or a line.
@MainActor
private final class MenuRow {
  let item: MenuItem
  let widget: Widget
  private let mark = made(gtk_image_new_from_icon_name("object-select-symbolic"))
  private let title = made(gtk_label_new(nil))
  private let key = made(gtk_label_new(nil))
  private let signals = Signals()
  private var actions: WidgetActions?

  init(_ item: MenuItem) {
    self.item = item
    widget =
      item.isSeparator
      ? made(gtk_separator_new(GTK_ORIENTATION_HORIZONTAL))
      : made(runnel_new_widget(gtk_box_get_type(), "modelbutton", GTK_ACCESSIBLE_ROLE_MENU_ITEM))
    for part in [mark, title, key] { g_object_ref_sink(part) }
    if item.isSeparator { return }
    gtk_widget_set_focusable(widget, 1)
    gtk_widget_add_css_class(widget, "flat")
    gtk_widget_add_css_class(mark, "runnel-mark")
    gtk_widget_set_hexpand(title, 1)
    gtk_label_set_xalign(cast(title), 0)
    gtk_widget_add_css_class(key, "dim-label")
    gtk_widget_add_css_class(key, "runnel-key")
    for part in [mark, title, key] { gtk_box_append(cast(widget), part) }
  }

  /// Calls a closure when the mouse, or assistive technology, clicks the item.
  func connect(activate: @escaping @MainActor () -> Void) {
    if item.isSeparator { return }
    actions = WidgetActions("item", of: widget, ["activate": activate])
    let click = made(gtk_gesture_click_new())
    signals.connect(click, "released") { [widget] arguments in
      // The user may move the mouse away to choose nothing.
      let isInside = gtk_widget_contains(widget, arguments.double(2), arguments.double(3))
      if Bool(isInside) { activate() }
    }
    gtk_widget_add_controller(widget, click)
  }

  /// `hasMarks` is true if an item of the menu has a check mark.
  func update(isCurrent: Bool, hasMarks: Bool) {
    if item.isSeparator { return }
    gtk_widget_set_visible(mark, hasMarks.gboolean)
    gtk_widget_set_opacity(mark, item.isChecked ? 1 : 0)
    gtk_label_set_text(cast(title), item.title)
    gtk_label_set_text(cast(key), item.keyEquivalent?.label ?? "")
    gtk_widget_set_sensitive(widget, item.isEnabled.gboolean)
    widget.setState(GTK_STATE_FLAG_PRELIGHT, isCurrent)
    widget.setState(GTK_STATE_FLAG_SELECTED, isCurrent)
    runnel_set_label(widget, item.isChecked ? "\(item.title), checked" : item.title)
  }

  func end() {
    signals.disconnectAll()
    actions?.end()
    for part in [mark, title, key] { g_object_unref(part) }
  }
}
#endif
