#if GTK
import CGTK
import RunnelDesk

final class MenuPanelMirror: ViewMirror {
  private let panel: MenuPanel
  private let body = Container()
  private let box = Container(name: "contents", role: GTK_ACCESSIBLE_ROLE_MENU)
  private let frame = Container(name: "popover", role: GTK_ACCESSIBLE_ROLE_GENERIC)
  private var rows: [MenuRow] = []

  init(_ panel: MenuPanel, in window: WindowMirror) {
    self.panel = panel
    super.init(panel, in: window, body: body)
    gtk_widget_set_focusable(body.widget, 1)
    gtk_widget_add_css_class(frame.widget, "runnel-menu")
    gtk_widget_add_css_class(frame.widget, "menu")
    // Themes draw the background of a popover with this class only.
    gtk_widget_add_css_class(frame.widget, "background")
    body.add(frame.widget)
    frame.add(box.widget)
    // Safety: `Container.end()` releases the closures before this object is released.
    body.place = { [unowned self] _, _ in
      Container.give(framePlace, to: frame.widget)
    }
    frame.place = { [unowned self] width, height in
      Container.give(
        GtkAllocation(x: 0, y: 0, width: gint(width), height: gint(height)), to: box.widget)
    }
    box.place = { [unowned self] width, _ in placeRows(width: width) }
  }

  /// The menu is as large as its cells in the window, which a dialog does not fill.
  override var metrics: CellMetrics { window.metrics }

  /// The place of the cells of the menu in pixels, next to the widget of the view that has opened it.
  private var boxPlace: Rect {
    var area = Rect(pixels(of: panel.layout.box))
    guard let opener = panel.opener, let mirror = window.knownMirror(of: opener) else {
      return area
    }
    let (frame, origin, anchor) = (opener.frameInWindow, mirror.origin, panel.anchorRect)
    let inside = Rect(mirror.pixels(of: anchor.offset(byX: -frame.minX, y: -frame.minY)))
    let shown = inside.offset(byX: Int(origin.x), y: Int(origin.y))
    let width = Int(gtk_widget_get_width(window.contentWidget))
    let height = Int(gtk_widget_get_height(window.contentWidget))
    let (above, below) = (min(max(shown.minY, 0), height), max(height - shown.maxY, 0))
    let isBelow = area.height <= below || below >= above
    // In a low dialog, there is no room for a few items on any side. The menu then covers the view.
    let isLow = max(above, below) < metrics.pixels(rows: Self.leastHeight)
    area.size.height = min(area.height, isLow ? height : isBelow ? below : above)
    area.origin.x = max(min(shown.minX, width - area.width), 0)
    let y = isBelow ? height - below : above - area.height
    area.origin.y = max(min(y, height - area.height), 0)
    return area
  }

  /// The least number of rows of a menu next to its view, with its border.
  private static let leastHeight = 6

  override func target(x: Double, y: Double) -> MouseTarget {
    let (place, box) = (boxPlace, panel.layout.box)
    if place.contains(Point(x: Int(x), y: Int(y))) {
      let cell = metrics.cell(x: x - Double(place.minX), y: y - Double(place.minY))
      return MouseTarget(mirror: self, cell: Point(x: cell.x + box.minX, y: cell.y + box.minY))
    }
    // Another place, such as the title of another menu.
    let other = window.targetBelowMenus(x: x, y: y).cell
    return MouseTarget(mirror: self, cell: box.contains(other) ? Point(x: -1, y: -1) : other)
  }

  /// The place of the frame. Its cells are higher than a border of pixels needs.
  private var framePlace: GtkAllocation {
    var area = GtkAllocation(boxPlace)
    let margin = gint(metrics.height / 3)
    area.y += margin
    area.height = max(area.height - 2 * margin, 0)
    return area
  }

  /// The number of rows that fit into the menu.
  private var rowCount: Int { max(Int((Double(boxPlace.height) + 1) / metrics.height) - 2, 0) }

  override func update() {
    super.update()
    panel.scroll(toFit: rowCount)
    let items = panel.menu.items.dropFirst(panel.top).prefix(rowCount)
    while rows.count > items.count {
      let row = rows.removeLast()
      row.actions?.end()
      gtk_widget_unparent(row.widget)
    }
    while rows.count < items.count {
      let (row, index) = (MenuRow(), rows.count)
      row.actions = WidgetActions(
        "item", of: row.widget, ["activate": { [weak self] in self?.activate(at: index) }])
      box.add(row.widget)
      rows.append(row)
    }
    for (row, item) in zip(rows, items) { row.show(item, isCurrent: item === panel.current) }
    gtk_widget_queue_allocate(body.widget)
  }

  /// The current item, so that assistive technology reads it.
  override var focusWidget: Widget {
    let items = panel.menu.items.dropFirst(panel.top)
    let row = zip(rows, items).first { $0.1 === panel.current }?.0
    return row?.widget ?? body.widget
  }

  private func activate(at index: Int) {
    let items = panel.menu.items.dropFirst(panel.top)
    if index < items.count { panel.activate(items[items.startIndex + index]) }
  }

  private func placeRows(width: Int) {
    let height = metrics.height
    let start = Double(Int(framePlace.y) - boxPlace.minY)
    for (index, row) in rows.enumerated() {
      let top = (Double(index + 1) * height - start).rounded()
      Container.give(
        GtkAllocation(
          x: 6, y: gint(top), width: gint(width - 12),
          height: gint((Double(index + 2) * height - start).rounded() - top)), to: row.widget)
    }
  }

  override func texts() -> [(cell: Point, text: String)] {
    let origin = panel.layout.box.origin
    return zip(rows, panel.menu.items.dropFirst(panel.top)).enumerated().map { index, row in
      let cell = Point(x: origin.x + 3, y: origin.y + index + 1)
      return (cell, row.1.isSeparator ? "" : row.1.title)
    }
  }

  override func end() {
    for row in rows { row.actions?.end() }
    super.end()
    box.end()
    frame.end()
  }
}

/// A row of an open menu: a check mark, a title and a key, or a line.
@MainActor
private final class MenuRow {
  let widget = made(
    runnel_new_widget(gtk_box_get_type(), "modelbutton", GTK_ACCESSIBLE_ROLE_MENU_ITEM))
  private let mark = made(gtk_label_new(nil))
  private let title = made(gtk_label_new(nil))
  private let key = made(gtk_label_new(nil))
  private let line = made(gtk_separator_new(GTK_ORIENTATION_HORIZONTAL))
  var actions: WidgetActions?

  init() {
    gtk_widget_set_focusable(widget, 1)
    gtk_widget_add_css_class(mark, "runnel-mark")
    gtk_widget_set_hexpand(title, 1)
    gtk_label_set_xalign(cast(title), 0)
    gtk_widget_add_css_class(key, "dim-label")
    gtk_widget_set_hexpand(line, 1)
    gtk_widget_set_valign(line, GTK_ALIGN_CENTER)
    for part in [mark, title, key, line] { gtk_box_append(cast(widget), part) }
  }

  func show(_ item: MenuItem, isCurrent: Bool) {
    for part in [mark, title, key] { gtk_widget_set_visible(part, (!item.isSeparator).gboolean) }
    gtk_widget_set_visible(line, item.isSeparator.gboolean)
    gtk_label_set_text(cast(mark), item.isChecked ? "✓" : "")
    gtk_label_set_text(cast(title), item.title)
    gtk_label_set_text(cast(key), item.keyEquivalent?.label ?? "")
    gtk_widget_set_sensitive(widget, item.isEnabled.gboolean)
    widget.setState(GTK_STATE_FLAG_PRELIGHT, isCurrent)
    widget.setState(GTK_STATE_FLAG_SELECTED, isCurrent)
    runnel_set_label(widget, item.isSeparator ? "" : item.title)
  }
}
#endif
