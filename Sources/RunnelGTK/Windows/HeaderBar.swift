#if GTK
import CGTK
import RunnelDesk

/// The title bar of a window without a menu bar: the search field, the title, and a button that opens
/// the menus.
@MainActor
final class HeaderBar {
  let widget = made(gtk_header_bar_new())
  private let button = made(gtk_menu_button_new())
  /// The place of the search field. The mouse uses it as it uses the content of the window.
  let searchPlace = Container()
  private weak var search: ViewMirror?
  // Safety: the window mirror owns this object, and outlives it.
  private unowned let window: WindowMirror
  /// The open menus, or those that were open last.
  private var menu: NativeMenu?

  init(of window: WindowMirror) {
    self.window = window
    gtk_menu_button_set_icon_name(cast(button), "open-menu-symbolic")
    gtk_widget_set_tooltip_text(button, Self.name)
    runnel_set_label(button, Self.name)
    gtk_widget_set_focus_on_click(button, 0)
    gtk_header_bar_pack_end(cast(widget), button)
    gtk_header_bar_pack_start(cast(widget), searchPlace.widget)
    // Safety: `Container.end()` releases the closures before this object is released.
    searchPlace.measure = { [unowned self] in lengthOfSearch(along: $0) }
    searchPlace.place = { [unowned self] width, height in
      guard let search else { return }
      let area = GtkAllocation(x: 0, y: 0, width: gint(width), height: gint(height))
      Container.give(area, to: search.container.widget)
    }
    // The menu is made when the button is pressed, because delegates may change its items.
    gtk_menu_button_set_create_popup_func(
      cast(button),
      { _, header in
        // Safety: GTK calls this on the main thread only.
        nonisolated(unsafe) let header = header
        MainActor.assumeIsolated {
          guard let header else { return }
          // Safety: `end()` removes the function before this object is released.
          Unmanaged<HeaderBar>.fromOpaque(header).takeUnretainedValue().fillMenu()
        }
      }, Unmanaged.passUnretained(self).toOpaque(), nil)
  }

  /// The name of the button and its menus for assistive technology.
  private static let name = "Main menu"

  private var bar: MenuBar? { window.window.menuBar }

  /// The height in pixels.
  var height: Int { naturalLength(of: widget, GTK_ORIENTATION_VERTICAL) }

  /// True while the menus are shown. They have the focus of GTK.
  var isOpen: Bool { openPopover != nil }

  /// The popover with the menus while they are shown.
  var openPopover: Widget? {
    let popover: Widget? = gtk_menu_button_get_popover(cast(button)).map { cast($0) }
    return popover.flatMap { Bool(gtk_widget_get_visible($0)) ? $0 : nil }
  }

  // MARK: - Search

  func show(search: ViewMirror) {
    if gtk_widget_get_parent(search.container.widget) == searchPlace.widget { return }
    self.search = search
    searchPlace.add(search.container.widget)
  }

  /// True if the window has room for a search field of the usual width besides the title.
  private var isWide = false

  /// The search field is as high as in the theme, and as wide as the advice in it. A long title is cut off rather than
  /// the field, unless the window is narrow.
  private func lengthOfSearch(along axis: GtkOrientation) -> (least: Int, wanted: Int) {
    guard let field = search?.native else { return (0, 0) }
    let wanted = naturalLength(of: field, axis)
    if axis == GTK_ORIENTATION_VERTICAL { return (wanted, wanted) }
    let width = max(wanted, Self.usualSearchWidth)
    return (isWide ? width : Self.leastSearchWidth, width)
  }

  private static let leastSearchWidth = 120
  private static let usualSearchWidth = 240
  private static let wideWindow = 640

  // MARK: - Menus

  func update() {
    var (width, height) = (gtk_widget_get_width(window.widget), gint(0))
    if width == 0 { gtk_window_get_default_size(cast(window.widget), &width, &height) }
    if isWide != (width >= Self.wideWindow) {
      isWide.toggle()
      gtk_widget_queue_resize(searchPlace.widget)
    }
    gtk_widget_set_visible(
      searchPlace.widget, (gtk_widget_get_first_child(searchPlace.widget) != nil).gboolean)
    gtk_widget_set_visible(button, (bar?.isHidden == false && bar?.menus.isEmpty == false).gboolean)
    gtk_widget_set_sensitive(button, (bar?.isEnabled == true).gboolean)
  }

  /// Opens the menus. Returns false if the bar is not visible or has no menus, or the menus are open already.
  func open() -> Bool {
    // A window that fills the screen has no title bar.
    if isOpen || !Bool(gtk_widget_is_sensitive(button)) || !Bool(gtk_widget_get_mapped(button)) {
      return false
    }
    gtk_menu_button_popup(cast(button))
    return isOpen
  }

  private func fillMenu() {
    menu?.end()
    menu = nil
    guard let bar else { return }
    let menus = bar.menus
    for menu in menus { menu.willOpen() }
    // A delegate may have ended the application.
    if window.isEnded {
      for menu in menus { menu.didClose() }
      return
    }
    let menu = NativeMenu(bar.menus)
    self.menu = menu
    menu.insertActions(in: button)
    gtk_menu_button_set_menu_model(cast(button), cast(menu.model))
    guard let popover = gtk_menu_button_get_popover(cast(button)) else { return }
    runnel_set_label(cast(popover), Self.name)
    menu.signals.connect(popover, "closed") { [weak self] _ in
      for menu in menus { menu.didClose() }
      self?.window.backend.needsDisplay()
    }
  }

  func end() {
    gtk_menu_button_popdown(cast(button))
    gtk_widget_set_tooltip_text(button, nil)
    gtk_menu_button_set_create_popup_func(cast(button), nil, nil, nil)
    menu?.end()
    menu = nil
    searchPlace.end()
  }
}
#endif
