#if GTK
import CGTK
import RunnelDesk

/// The window of the desktop that shows a ``Window``.
///
///     hidden ── present() ──▶ presenting ── GTK has shown the window ──▶ shown
///     each of them ── end() ──▶ ended
///
/// The desktop chooses the size in pixels, at first and after a script has changed it:
///
///     unknown ── first layout ──▶ given ── resize(to:) ──▶ requested ── the desktop follows ──▶ given
///     unknown ── resize(to:) ──▶ requestedEarly ── first layout ──▶ requested, or given if it fits
@MainActor
final class WindowMirror {
  let window: Window
  /// The backend, which drops its windows when it stops.
  let backend: GTKBackend
  let widget: Widget
  /// The size of a cell: that of the font, enlarged so that the cells fill the window.
  private(set) var metrics: CellMetrics
  /// The size of the window in cells.
  private(set) var size: Size

  /// The size in cells that the window had last while the user had not maximised or tiled it.
  private var ownSize: Size
  /// The state for the next run.
  var state: WindowState { WindowState(size: ownSize, isMaximized: isMaximized) }

  private var isMaximized: Bool { Bool(gtk_window_is_maximized(cast(widget))) }

  var contentWidget: Widget { container.widget }

  /// The size of a cell for the font of the desktop.
  private var fontMetrics: CellMetrics
  /// The height in pixels of a field or a button that is placed in pixels.
  private(set) var controlHeight: Int
  /// The state of the font that was measured last. It changes with the font, its size and the
  /// resolution.
  private var fontSerial: guint
  private var phase = Phase.hidden
  private var pixelSize = PixelSize.unknown
  private let container = Container()
  private var tree: ViewMirror?
  private var overlay: ViewMirror?
  private lazy var toast = ToastMirror(in: self)
  /// The title bar, if the window has no menu bar.
  private(set) lazy var header = window.hasHeaderBar ? HeaderBar(of: self) : nil
  /// The window with the keys that was shown last. The user may have closed it.
  private(set) var shortcuts: ShortcutsWindow?
  private let signals = Signals()
  private(set) lazy var input = WindowInput(self)

  private var hasBeenActive = false
  /// See ``describeFocus(_:)``.
  private(set) var focusDescription: (view: View, text: String)?

  private enum Phase {
    case hidden
    /// GTK may move the focus while it shows the window for the first time. The views keep theirs.
    case presenting
    case shown, ended
  }

  /// The size in pixels of a full window.
  private enum PixelSize {
    case unknown
    case given(width: Int, height: Int)
    /// A script has changed the size before the first layout. The desktop is asked after that layout,
    /// because GTK ignores a change between showing the window and its first layout.
    case requestedEarly
    /// A script has changed the size. `former` is the size that the desktop has given last.
    case requested(former: (width: Int, height: Int))
  }

  init(_ window: Window, of backend: GTKBackend) {
    self.window = window
    self.backend = backend
    widget = made(gtk_window_new())
    g_object_ref_sink(widget)
    // The style sheet is for the content: title bars look like those of other windows.
    gtk_widget_add_css_class(container.widget, "runnel")
    if window.style == .dialog { runnel_set_role(widget, GTK_ACCESSIBLE_ROLE_DIALOG) }
    fontMetrics = CellMetrics(of: widget)
    controlHeight = Self.measuredControlHeight(in: fontMetrics)
    fontSerial = pango_context_get_serial(gtk_widget_get_pango_context(widget))
    metrics = fontMetrics
    size = backend.size
    ownSize = size
    gtk_window_set_child(cast(widget), container.widget)
    if let header { gtk_window_set_titlebar(cast(widget), header.widget) }
    // Safety: `end()` releases the closure before this object is released.
    container.place = { [unowned self] in place(width: $0, height: $1) }
    signals.answer(widget, "close-request") { [weak self] _ in
      self?.window.close()
      return true
    }
    signals.connect(widget, "notify::is-active") { [weak self] _ in
      guard let self, !isEnded else { return }
      if !Bool(gtk_window_is_active(cast(widget))) {
        // The user works in another window.
        self.window.closeMenu()
      } else if !isBehindDialog {
        self.window.application?.show(self.window)
      }
      announceFirstFocus()
      self.backend.activityChanged()
    }
    signals.connect(widget, "notify::focus-widget") { [weak self] _ in self?.focusMoved() }
    if let settings = gtk_settings_get_default() {
      for name in ["gtk-theme-name", "gtk-application-prefer-dark-theme"] {
        signals.connect(settings, "notify::\(name)") { [weak self] _ in
          guard let self, !isEnded else { return }
          controlHeight = Self.measuredControlHeight(in: fontMetrics)
          self.backend.needsDisplay()
        }
      }
    }
    tree =
      window.style == .dialog
      ? DialogMirror(window.rootView, in: self) : RootMirror(window.rootView, in: self)
    if let tree { container.add(tree.container.widget) }
    input.connect()
    input.connectMouse(to: container.widget)
    if let header { input.connectMouse(to: header.searchPlace.widget) }
  }

  var isEnded: Bool { phase == .ended }

  /// True from the time when a script has changed the size until the desktop has followed.
  var isResizing: Bool {
    switch pixelSize {
    case .requestedEarly, .requested: true
    case .unknown, .given: false
    }
  }

  /// True if a dialog must be answered before this window can be used.
  private var isBehindDialog: Bool {
    let windows = window.application?.windows ?? []
    guard let index = windows.firstIndex(where: { $0 === window }) else { return false }
    return windows[(index + 1)...].contains { $0.style == .dialog }
  }

  func end() {
    if isEnded { return }
    phase = .ended
    input.end()
    signals.disconnectAll()
    gtk_window_set_focus(cast(widget), nil)
    toast.end()
    shortcuts?.end()
    overlay?.end()
    tree?.end()
    header?.end()
    (overlay, tree, focusDescription) = (nil, nil, nil)
    gtk_window_set_child(cast(widget), nil)
    container.end()
    // Nothing has a tooltip now, so this cancels one that GTK 4.8 would look for in the destroyed window.
    gtk_widget_trigger_tooltip_query(widget)
    gtk_window_destroy(cast(widget))
    g_object_unref(widget)
  }

  // MARK: - Size and layout

  /// Lays out the views for the size of the window.
  private func layOut() {
    switch window.style {
    case .full: window.layout(on: size)
    case .dialog: window.layout(on: backend.parent(of: self)?.size ?? backend.size)
    }
  }

  /// Measures the font again if the user has chosen another one or another size. GTK lays out the
  /// window after it has changed the font of its widgets.
  private func followFont() {
    let serial = pango_context_get_serial(gtk_widget_get_pango_context(widget))
    if serial == fontSerial { return }
    fontSerial = serial
    let measured = CellMetrics(of: widget)
    if measured == fontMetrics { return }
    fontMetrics = measured
    controlHeight = Self.measuredControlHeight(in: measured)
    // A full window keeps its size in pixels, a dialog the number of its cells.
    if window.style == .dialog { metrics = measured }
    backend.needsDisplay()
  }

  /// Returns the height of a field or a button of the desktop's theme.
  private static func measuredControlHeight(in metrics: CellMetrics) -> Int {
    let heights = [made(gtk_entry_new()), made(gtk_button_new_with_label("A"))].map { widget in
      g_object_ref_sink(widget)
      defer { g_object_unref(widget) }
      return naturalLength(of: widget, GTK_ORIENTATION_VERTICAL)
    }
    return max(heights.max() ?? 0, metrics.pixels(rows: 1))
  }

  private func place(width: Int, height: Int) {
    followFont()
    if window.style == .full {
      let cells = fontMetrics.cells(width: width, height: height).ofScreen
      // The desktop has not followed yet, unless the window already had the size.
      switch pixelSize {
      case .requestedEarly where cells != size:
        pixelSize = .requested(former: (width, height))
        requestSizeSoon()
        return placeParts(width: width, height: height)
      case .requested(let former) where cells != size && former == (width, height):
        return placeParts(width: width, height: height)
      case .unknown, .given, .requestedEarly, .requested: break
      }
      pixelSize = .given(width: width, height: height)
      let fitted = fontMetrics.fitted(to: cells, width: width, height: height)
      if cells != size || fitted != metrics {
        (size, metrics) = (cells, fitted)
        layOut()
        backend.needsDisplay()
      }
      if hasOwnSize { ownSize = cells }
    }
    placeParts(width: width, height: height)
  }

  /// True unless the desktop has chosen the size, because the window is maximised, tiled or fills the screen.
  private var hasOwnSize: Bool {
    guard let surface = gtk_native_get_surface(OpaquePointer(widget)) else { return !isMaximized }
    let chosen =
      GDK_TOPLEVEL_STATE_MAXIMIZED.rawValue | GDK_TOPLEVEL_STATE_FULLSCREEN.rawValue
      | GDK_TOPLEVEL_STATE_TILED.rawValue
    return gdk_toplevel_get_state(surface).rawValue & chosen == 0
  }

  private func placeParts(width: Int, height: Int) {
    let area = GtkAllocation(x: 0, y: 0, width: gint(width), height: gint(height))
    if let tree { Container.give(area, to: tree.container.widget) }
    if let overlay { Container.give(area, to: overlay.container.widget) }
    toast.place(width: width, height: height)
  }

  /// Returns what is shown at a pixel of the content.
  func target(x: Double, y: Double) -> MouseTarget {
    overlay?.target(x: x, y: y) ?? targetBelowMenus(x: x, y: y)
  }

  /// Returns what is at a pixel of the content without regard to an open menu.
  func targetBelowMenus(x: Double, y: Double) -> MouseTarget {
    if let cell = toast.cell(x: x, y: y) { return MouseTarget(mirror: tree, cell: cell) }
    return tree?.target(x: x, y: y) ?? MouseTarget(mirror: nil, cell: .zero)
  }

  func present() {
    if phase != .hidden { return }
    phase = .presenting
    let parent = backend.parent(of: self)
    if let parent { gtk_window_set_transient_for(cast(widget), cast(parent.widget)) }
    if window.style == .dialog {
      gtk_window_set_modal(cast(widget), 1)
      gtk_window_set_resizable(cast(widget), 0)
      if parent?.header != nil {
        // The title bar of a window manager would have buttons that a question has no use for.
        let bar = made(gtk_header_bar_new())
        gtk_header_bar_set_show_title_buttons(cast(bar), 0)
        gtk_window_set_titlebar(cast(widget), bar)
      }
    } else {
      requestSize()
      if parent == nil && backend.startsMaximized { gtk_window_maximize(cast(widget)) }
    }
    // GTK would give the focus to the first widget if no other has it.
    syncFocus()
    GTKBackend.show { gtk_window_present(cast(widget)) }
    if isEnded { return }
    phase = .shown
    syncFocus()
  }

  /// The views have the size at once; the desktop follows.
  func resize(to size: Size) {
    if isEnded { return }
    self.size = size
    ownSize = size
    layOut()
    if isEnded || window.style == .dialog { return }
    switch pixelSize {
    case .unknown: pixelSize = .requestedEarly
    case .given(let width, let height):
      pixelSize = .requested(former: (width, height))
      requestSize()
    case .requestedEarly: break
    case .requested: requestSize()
    }
  }

  /// Asks for the size after the current layout.
  private func requestSizeSoon() {
    let reference = Unmanaged.passRetained(self).toOpaque()
    g_idle_add(
      { reference in
        guard let reference else { return 0 }
        // Safety: GLib calls this once, on the main thread. It balances the retain above.
        let mirror = Unmanaged<WindowMirror>.fromOpaque(reference).takeRetainedValue()
        MainActor.assumeIsolated {
          if !mirror.isEnded { mirror.requestSize() }
        }
        return 0
      }, reference)
  }

  /// Asks the desktop for a window of this size in cells.
  private func requestSize() {
    let width = gint(Double(size.width) * fontMetrics.width)
    let height = gint(Double(size.height) * fontMetrics.height)
    guard let header else { return gtk_window_set_default_size(cast(widget), width, height) }
    // GTK draws the frame of a window with a header bar inside the window.
    let style = gtk_widget_get_style_context(widget)
    var (border, padding) = (GtkBorder(), GtkBorder())
    gtk_style_context_get_border(style, &border)
    gtk_style_context_get_padding(style, &padding)
    gtk_window_set_default_size(
      cast(widget), width + gint(border.left + border.right + padding.left + padding.right),
      height + gint(border.top + border.bottom + padding.top + padding.bottom)
        + gint(header.height))
  }

  /// Shows the keys of the window.
  func showShortcuts() {
    shortcuts?.end()
    shortcuts = ShortcutsWindow(window.shortcutGroups, over: widget)
  }

  // MARK: - Updating

  func sync() {
    if isEnded { return }
    layOut()
    if isEnded { return }
    // A widget must lose the focus before it is disabled or removed.
    if phase != .hidden { syncFocus() }
    gtk_window_set_title(cast(widget), window.title)
    tree?.sync()
    header?.update()
    if window.style == .dialog {
      let room = backend.parent(of: self)?.contentWidget ?? container.widget
      var size = (tree as? DialogMirror)?.wantedSize ?? .zero
      // In cells, a dialog is not larger than the window behind it, either.
      if Bool(gtk_widget_get_mapped(room)), room != container.widget {
        size.width = min(size.width, Int(gtk_widget_get_width(room)))
        size.height = min(size.height, Int(gtk_widget_get_height(room)))
      }
      gtk_widget_set_size_request(container.widget, gint(size.width), gint(size.height))
    } else {
      gtk_widget_set_size_request(
        container.widget, gint(20 * fontMetrics.width), gint(4 * fontMetrics.height))
    }
    syncOverlay()
    toast.update()
    gtk_widget_queue_allocate(container.widget)
    syncFocus()
  }

  private func syncOverlay() {
    if overlay?.view !== window.overlay {
      overlay?.end()
      overlay = window.overlay.map(mirror)
      if let overlay {
        gtk_widget_insert_before(overlay.container.widget, container.widget, nil)
      }
    }
    overlay?.sync()
  }

  func knownMirror(of view: View) -> ViewMirror? {
    overlay?.mirror(of: view) ?? tree?.mirror(of: view)
  }

  /// Calls a closure for all mirrors, from back to front.
  func forEachMirror(_ body: (ViewMirror) -> Void) {
    tree?.forEach(body)
    overlay?.forEach(body)
  }

  /// The menus that are open.
  var popovers: [Widget] {
    [overlay?.popover, header?.openPopover].compactMap { $0 }
      .filter { Bool(gtk_widget_get_mapped($0)) }
  }

  /// Returns the place of an event in a window or a popover; nil if the event has none.
  static func place(of event: OpaquePointer, in native: Widget) -> (x: Double, y: Double)? {
    var (x, y, left, top) = (0.0, 0.0, 0.0, 0.0)
    guard Bool(gdk_event_get_position(event, &x, &y)) else { return nil }
    gtk_native_get_surface_transform(cast(native), &left, &top)
    return (x - left, y - top)
  }

  /// Lets an open menu handle a button. Returns false for another event.
  func menuTakesButton(_ event: OpaquePointer) -> Bool { overlay?.takesButton(event) ?? false }

  /// Returns the place of a popover in the content of the window.
  func origin(ofPopover popover: Widget) -> (x: Double, y: Double) {
    let place = originInWindow(ofPopover: popover)
    var (x, y) = (0.0, 0.0)
    gtk_widget_translate_coordinates(widget, contentWidget, place.x, place.y, &x, &y)
    return (x, y)
  }

  /// Returns the place of a popover in the window. A popover has a surface of its own.
  func originInWindow(ofPopover popover: Widget) -> (x: Double, y: Double) {
    guard let surface = gtk_native_get_surface(cast(popover)) else { return (0, 0) }
    var (outer, inner) = ((x: 0.0, y: 0.0), (x: 0.0, y: 0.0))
    gtk_native_get_surface_transform(cast(widget), &outer.x, &outer.y)
    gtk_native_get_surface_transform(cast(popover), &inner.x, &inner.y)
    return (
      Double(gdk_popup_get_position_x(surface)) + inner.x - outer.x,
      Double(gdk_popup_get_position_y(surface)) + inner.y - outer.y
    )
  }

  /// Places a widget in front of all views.
  func addFloating(_ widget: Widget) { container.add(widget) }

  // MARK: - Focus

  var focused: ViewMirror? {
    if let overlay {
      var inside: ViewMirror?
      overlay.forEach { if Self.hasFocus($0) { inside = $0 } }
      return inside ?? overlay
    }
    return window.firstResponder.flatMap(knownMirror)
  }

  private static func hasFocus(_ mirror: ViewMirror) -> Bool { mirror.view.isFirstResponder }

  /// Gives the focus of GTK to the widget of the view with the focus.
  private func syncFocus() {
    if header?.isOpen == true { return }
    let wanted = (focused?.focusWidget).flatMap { Bool(gtk_widget_get_focusable($0)) ? $0 : nil }
    let current = gtk_window_get_focus(cast(widget))
    if let wanted {
      if current != wanted && !isInside(current, wanted) { focused?.takeFocus() }
    } else if current != nil {
      gtk_window_set_focus(cast(widget), nil)
    }
  }

  /// Gives the focus to its widget again when the window is active for the first time. GTK says nothing of a focus to
  /// assistive technology before it has shown the widget.
  private func announceFirstFocus() {
    guard !hasBeenActive, Bool(gtk_window_is_active(cast(widget))) else { return }
    hasBeenActive = true
    renewFocus()
  }

  /// Describes the view with the focus by a text, which assistive technology reads: another view shows what keys
  /// have done, such as the list below a search field. The text stays until the next one.
  func describeFocus(_ text: String) {
    guard let focused else { return }
    focusDescription = (focused.view, text)
    backend.needsDisplay()
  }

  /// Lets an input method insert what it has composed. Later, the view could show another text.
  func finishComposing() {
    if focused?.isComposing == true { renewFocus() }
  }

  private func renewFocus() {
    gtk_window_set_focus(cast(widget), nil)
    syncFocus()
  }

  /// Returns true if a widget is another one or inside it.
  private func isInside(_ widget: Widget?, _ outer: Widget) -> Bool {
    widget.map { $0 == outer || Bool(gtk_widget_is_ancestor($0, outer)) } ?? false
  }

  /// Moves the focus to the view of the widget that the user has focused.
  private func focusMoved() {
    guard phase == .hidden || phase == .shown, window.overlay == nil,
      let focus = gtk_window_get_focus(cast(widget))
    else {
      return
    }
    var found: ViewMirror?
    forEachMirror { if isInside(focus, $0.container.widget) { found = $0 } }
    guard let found, !found.view.isFirstResponder else { return }
    let taker = sequence(first: found.view, next: \.superview).first(
      where: \.canBecomeFirstResponder)
    if let taker { window.makeFirstResponder(taker) }
    backend.needsDisplay()
  }
}
#endif
