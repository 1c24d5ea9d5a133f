#if GTK
import CGTK
import RunnelDesk

/// The widgets that show one view. A subclass for each kind of view adds a native widget.
///
/// The view owns all state. ``update()`` copies it into the widget, and the handlers of the widget
/// propose changes to the view.
@MainActor
class ViewMirror {
  let view: View
  /// The window, which drops its mirrors when it ends.
  let window: WindowMirror
  let container = Container()
  /// The widget below the subviews, which fills the view; nil if the view only contains others.
  let native: Widget?
  /// The container that is the native widget, if that has parts.
  private let nativeContainer: Container?
  let signals = Signals()
  private(set) var children: [ViewMirror] = []
  /// True while the state of the view is copied into the widget.
  private(set) var isUpdating = false
  /// True after the widgets were destroyed. A proposal may end the application.
  private(set) var isEnded = false
  private var placedFrames: [Rect] = []
  /// The size of the widgets in pixels.
  private var size = Size.zero
  /// The pixels of the widgets in those of the parent.
  private var place = Rect.zero

  init(_ view: View, in window: WindowMirror, native: Widget? = nil, body: Container? = nil) {
    self.view = view
    self.window = window
    self.native = body?.widget ?? native
    nativeContainer = body
    // Safety: `Container.end()` releases the closure before this object is released.
    container.place = { [unowned self] in place(width: $0, height: $1) }
    if let native = self.native { container.add(native) }
  }

  // MARK: - For subclasses

  /// Copies the state of the view into the widget. Called after each change.
  func update() {
    if !view.isAvailable { giveUpFocus() }
    gtk_widget_set_sensitive(native ?? container.widget, view.isAvailable.gboolean)
    gtk_widget_set_tooltip_text(container.widget, view.toolTip)
    describe()
  }

  /// Takes the focus of GTK from the widgets before they become insensitive: GTK warns otherwise.
  private func giveUpFocus() {
    guard let focus = gtk_window_get_focus(cast(window.widget)),
      Bool(gtk_widget_is_ancestor(focus, container.widget))
    else { return }
    gtk_window_set_focus(cast(window.widget), nil)
  }

  /// The widget that has the focus of GTK while the view has the focus.
  var focusWidget: Widget { native ?? container.widget }

  /// The widget that assistive technology knows by the name of the view.
  var describedWidget: Widget { focusWidget }

  /// True if the native widget handles the left mouse button itself. Otherwise the view gets the
  /// events of the mouse.
  var handlesMouse: Bool { false }

  /// Returns true if the native widget handles the left mouse button at a cell of the view.
  func handlesMouse(at cell: Point) -> Bool { handlesMouse }

  /// Returns true if the view has handled a press of the left button, at a place in the content of the
  /// window, before the native widget.
  func handlesPress(x: Double, y: Double, _ modifiers: Modifiers) -> Bool { false }

  /// Prepares the view for its context menu, which opens at a place in the content of the window.
  func willOpenMenu(x: Double, y: Double) {}

  /// True if the native widget scrolls when the wheel is turned. Otherwise the view gets the events.
  var handlesWheel: Bool { false }
  /// The user turns the wheel over the widget, presses a button on it, or touches it.
  func willScroll() {}

  /// True if the view scrolls by pixels when fingers move on a touchpad. Whole notches of a wheel are events
  /// in cells.
  var takesTouch: Bool { false }

  func takeFocus() { gtk_widget_grab_focus(focusWidget) }

  /// True if the native widget shows text that the user can select, with a menu of its own.
  var hasTextMenu: Bool { false }

  /// True if typed text goes to the native widget, which may compose it.
  var takesText: Bool { false }

  /// The popover that shows the view above the window; nil for a view in the window.
  var popover: Widget? { nil }

  /// True while an input method composes text.
  var isComposing: Bool { false }

  /// Inserts text as the keyboard does.
  func type(_ text: String) {}

  /// Clicks the native widget at a cell of the window, as the mouse does.
  func click(at event: MouseEvent) {
    // A widget without an action, such as a text, gets the click in cells.
    window.input.send(event)
    window.input.send(MouseEvent(.release(.left), at: event.position, event.modifiers))
  }

  /// The texts of the widget and their cells in the view, as the user reads them.
  func texts() -> [(cell: Point, text: String)] { [] }

  /// The cell of the caret in the view, as the widget shows it; nil if there is none.
  func caret() -> Point? { nil }

  func placeNative(width: Int, height: Int) {
    guard let native else { return }
    Container.give(
      GtkAllocation(x: 0, y: 0, width: gint(width), height: gint(height)), to: native)
  }

  func end() {
    isEnded = true
    signals.disconnectAll()
    for child in children { child.end() }
    children = []
    container.end()
    nativeContainer?.end()
  }

  // MARK: - Tree

  /// Updates the widgets of the view and of all views in it.
  func sync() {
    refresh()
    let shown = view.subviews.filter { !$0.isHidden }
    if !shown.elementsEqual(children.lazy.map(\.view), by: ===) { replaceChildren(shown) }
    for child in children { child.sync() }
    let frames = [view.frame] + children.map(\.view.frame)
    // The pixels of measured children may change while their cells do not.
    if isMeasured || frames != placedFrames {
      placedFrames = frames
      gtk_widget_queue_allocate(container.widget)
    }
  }

  private func replaceChildren(_ views: [View]) {
    var known: [ObjectIdentifier: ViewMirror] = [:]
    for child in children { known[ObjectIdentifier(child.view)] = child }
    children = views.map { view in
      known.removeValue(forKey: ObjectIdentifier(view)) ?? window.mirror(of: view)
    }
    for former in known.values { former.end() }
    for child in children { attach(child) }
    placedFrames = []
  }

  /// Adds the widget of a child in front of the others. It may be in the widget already.
  func attach(_ child: ViewMirror) {
    gtk_widget_insert_before(child.container.widget, container.widget, nil)
  }

  private func place(width: Int, height: Int) {
    size = Size(width: width, height: height)
    let places = arrangement(in: size) ?? children.map { Rect(pixels(of: $0.view.frame)) }
    placeNative(width: width, height: height)
    for (child, place) in zip(children, places) { give(place, to: child) }
  }

  /// Places the widget of a child.
  func give(_ place: Rect, to child: ViewMirror) {
    child.place = place
    Container.give(GtkAllocation(place), to: child.container.widget)
  }

  // MARK: - Pixels

  /// The size of a cell of the view. The cells fill the widget, whose size a parent may have measured in pixels. It
  /// is right during an allocation of GTK, and afterwards until the frame of the view changes.
  var metrics: CellMetrics {
    let cells = view.frame.size
    if cells.isEmpty || size.isEmpty { return window.metrics }
    return window.metrics.fitted(to: cells, width: size.width, height: size.height)
  }

  /// Returns the pixels of cells of the view.
  func pixels(of cells: Rect) -> GtkAllocation { metrics.pixels(of: cells) }

  /// True if the view, or one in it, has space that is measured in pixels.
  var isMeasured: Bool { children.count == 1 && children[0].isMeasured }

  /// The height below which a view that takes the free space is too low in pixels: rows of four fifths of a cell
  /// still have room for a line of text.
  var leastHeight: Int { window.metrics.pixels(rows: view.frame.height) * 4 / 5 }

  /// Returns the places of the children in pixels; nil if they are placed in cells, because no space has a
  /// meaning, or because there is no room for it.
  func arrangement(in size: Size) -> [Rect]? { nil }

  /// Returns the extent in pixels that the view requests; nil for all available space.
  func wanted(in room: Size) -> Extent {
    var extent = wantedCells(in: room)
    // A view around another one.
    guard let child = children.first, children.count == 1, child.isMeasured,
      child.view.frame == view.bounds
    else { return extent }
    let content = child.wanted(in: room)
    if view.width == nil, extent.width != nil { extent.width = content.width }
    if view.height == nil, extent.height != nil { extent.height = content.height }
    return extent
  }

  /// Returns the pixels of the cells that the view requests.
  final func wantedCells(in room: Size) -> Extent {
    let metrics = window.metrics
    let cells = view.extent(in: metrics.cells(width: room.width, height: room.height))
    return Extent(
      width: cells.width.map(metrics.pixels(columns:)),
      height: cells.height.map { $0 == 1 ? rowHeight : height(ofRows: $0) })
  }

  /// The height of a view of several rows.
  func height(ofRows count: Int) -> Int { window.metrics.pixels(rows: count) }

  /// The height of a view of one row.
  var rowHeight: Int { window.metrics.pixels(rows: 1) }

  /// Handles a button over the popover that GTK has sent to another widget. Returns false for another event.
  func takesButton(_ event: OpaquePointer) -> Bool { false }

  /// Returns the view that is shown at a pixel of the widget, and a cell of the window in that view.
  func target(x: Double, y: Double) -> MouseTarget {
    for child in children.reversed() where child.place.contains(x, y) {
      return child.target(x: x - Double(child.place.minX), y: y - Double(child.place.minY))
    }
    return MouseTarget(mirror: self, cell: cell(x: x, y: y))
  }

  /// Returns the cell of the window at a pixel of the view, without regard to its children. The pixel may be outside.
  func cell(x: Double, y: Double) -> Point {
    let (cell, origin) = (metrics.cell(x: x, y: y), view.frameInWindow.origin)
    return Point(x: cell.x + origin.x, y: cell.y + origin.y)
  }

  /// The place of the widget in the content of the window.
  var origin: (x: Double, y: Double) {
    var (x, y) = (0.0, 0.0)
    gtk_widget_translate_coordinates(container.widget, window.contentWidget, 0, 0, &x, &y)
    return (x, y)
  }

  func mirror(of wanted: View) -> ViewMirror? {
    if view === wanted { return self }
    return children.lazy.compactMap { $0.mirror(of: wanted) }.first
  }

  /// Calls a closure for this mirror and all in it, from back to front.
  func forEach(_ body: (ViewMirror) -> Void) {
    body(self)
    for child in children { child.forEach(body) }
  }

  // MARK: - Accessibility

  /// Tells assistive technology the name of the view.
  private func describe() {
    guard let description = view.accessibility else { return }
    // A widget without a name of its own has that of the text in it.
    if let label = accessibleName(description) { runnel_set_label(describedWidget, label) }
    let note = window.focusDescription.flatMap { $0.view === view ? $0.text : nil }
    runnel_set_description(describedWidget, note ?? view.validationMessage ?? view.toolTip ?? "")
  }

  /// Returns the name for people who do not see the view; nil for the text that the widget shows.
  func accessibleName(_ description: Accessibility) -> String? {
    view.ownLabel ?? (description.label.isEmpty ? nil : description.label)
  }

  // MARK: - Cells

  /// Allows text to reach beyond the view, or cuts it off there. The letters of a proportional font
  /// may be wider than their cells, and the cells next to text are usually free.
  func setOverflows(_ overflows: Bool, of inner: [Widget] = []) {
    for widget in [container.widget] + inner {
      gtk_widget_set_overflow(widget, overflows ? GTK_OVERFLOW_VISIBLE : GTK_OVERFLOW_HIDDEN)
    }
  }

  /// Returns the cell of the view at which an event of the mouse in the window is.
  func cell(of event: MouseEvent) -> Point {
    let origin = view.frameInWindow.origin
    return Point(x: event.position.x - origin.x, y: event.position.y - origin.y)
  }

  /// Shows the state of the view, also after a proposal that may have been refused.
  func refresh() {
    if isEnded { return }
    isUpdating = true
    update()
    isUpdating = false
  }
}

/// A view under the mouse.
struct MouseTarget {
  var mirror: ViewMirror?
  /// The cell of the window, as the application counts it.
  var cell: Point
}

extension Rect {
  init(_ area: GtkAllocation) {
    self.init(
      x: Int(area.x), y: Int(area.y), width: Int(area.width), height: Int(area.height))
  }

  fileprivate func contains(_ x: Double, _ y: Double) -> Bool {
    x >= Double(minX) && x < Double(maxX) && y >= Double(minY) && y < Double(maxY)
  }
}

extension GtkAllocation {
  init(_ rect: Rect) {
    self.init(
      x: gint(clamping: rect.minX), y: gint(clamping: rect.minY),
      width: gint(clamping: rect.width), height: gint(clamping: rect.height))
  }
}
#endif
