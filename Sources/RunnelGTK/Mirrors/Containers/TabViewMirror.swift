#if GTK
import CGTK
import RunnelDesk

/// The titles of tabs, above the visible one. They look as in a notebook of GTK.
final class TabViewMirror: ViewMirror {
  private let tabView: TabView
  private let body = Container(name: "notebook")
  private let header = Container(name: "header")
  private let list = Container(name: "tabs", role: GTK_ACCESSIBLE_ROLE_TAB_LIST)
  private var titles: [Widget] = []

  init(_ tabView: TabView, in window: WindowMirror) {
    self.tabView = tabView
    super.init(tabView, in: window, body: body)
    gtk_widget_set_focusable(list.widget, 1)
    gtk_widget_add_css_class(header.widget, "top")
    body.add(header.widget)
    header.add(list.widget)
    // Safety: `Container.end()` releases the closures before this object is released.
    body.place = { [unowned self] width, _ in place(header.widget, width: width) }
    header.place = { [unowned self] width, _ in place(list.widget, width: width) }
    list.place = { [unowned self] _, _ in placeTitles() }
  }

  override func update() {
    super.update()
    let count = tabView.titles.count
    while titles.count > count { gtk_widget_unparent(titles.removeLast()) }
    while titles.count < count {
      let title = made(runnel_new_widget(gtk_box_get_type(), "tab", GTK_ACCESSIBLE_ROLE_TAB))
      let label = made(gtk_label_new(nil))
      gtk_widget_set_hexpand(label, 1)
      gtk_label_set_ellipsize(cast(label), PANGO_ELLIPSIZE_END)
      gtk_box_append(cast(title), label)
      list.add(title)
      titles.append(title)
    }
    for (index, title) in titles.enumerated() {
      let isSelected = index == tabView.selectedIndex
      setText(tabView.titles[index], of: title)
      title.setState(GTK_STATE_FLAG_CHECKED, isSelected)
      gtk_widget_set_css_class(title, "runnel-focused", isSelected && tabView.hasFocus)
      runnel_set_selected(title, isSelected.gboolean)
    }
    gtk_widget_queue_allocate(list.widget)
  }

  private func setText(_ text: String, of title: Widget) {
    guard let label = gtk_widget_get_first_child(title) else { return }
    gtk_label_set_text(cast(label), text)
    runnel_set_label(title, text)
  }

  // MARK: - Layout

  /// Gives a widget the row of the titles.
  private func place(_ widget: Widget, width: Int) {
    let row = Rect(x: 0, y: 0, width: tabView.bounds.width, height: 1)
    var area = pixels(of: row)
    area.width = gint(width)
    if isMeasured { area.height = gint(margins.top) }
    Container.give(area, to: widget)
  }

  private func placeTitles() {
    let places = tabView.tabs(in: tabView.bounds.width)
    for (index, title) in titles.enumerated() {
      let place = places.first { $0.index == index }?.place
      gtk_widget_set_child_visible(title, (place != nil).gboolean)
      guard let place else { continue }
      Container.give(pixels(of: place), to: title)
    }
  }

  private var margins: Margins { Margins(top: window.metrics.pixels(rows: 1)) }

  override func arrangement(in size: Size) -> [Rect]? {
    isMeasured ? [Rect(origin: .zero, size: size).inset(by: margins)] : nil
  }

  override func wanted(in room: Size) -> Extent {
    var extent = wantedCells(in: room)
    guard isMeasured, tabView.height == nil, let height = extent.height else { return extent }
    let page = children[0].wanted(in: room.inset(by: margins)).outset(by: margins)
    extent.height = max(height, page.height ?? 0)
    return extent
  }

  // MARK: - Input

  override var focusWidget: Widget { list.widget }

  override func texts() -> [(cell: Point, text: String)] {
    tabView.tabs(in: tabView.bounds.width).compactMap { index, place in
      guard titles.indices.contains(index), let label = gtk_widget_get_first_child(titles[index])
      else { return nil }
      return (Point(x: place.minX + 1, y: 0), text(of: gtk_label_get_text(cast(label))))
    }
  }

  override func end() {
    super.end()
    list.end()
    header.end()
  }
}
#endif
