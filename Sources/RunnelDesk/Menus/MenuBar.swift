import RunnelStreams
import RunnelText

/// A row of menus above the content of a window.
///
///     window.menuBar = MenuBar([fileMenu, editMenu])
///
/// F10 opens it, and so does the mouse. The keys of its items are looked at before what has the
/// focus hears of them, but for those that type something, which are left to a text. In a dialog it
/// is not seen, and its keys work all the same.
@MainActor
public final class MenuBar: View {
  /// The menus, from left to right.
  public var menus: [Menu] {
    didSet {
      for menu in oldValue where menu.bar === self { menu.bar = nil }
      adoptMenus()
      if let openMenu, openMenu.bar !== self { close() }
    }
  }

  /// The key that opens the first menu; nil if there is none.
  public var openKey: KeyPress? = KeyPress(.function(10))

  /// The menu that is open.
  public private(set) var openMenu: Menu?
  private weak var panel: MenuPanel?

  /// A row of menus.
  public init(_ menus: [Menu] = []) {
    self.menus = menus
    super.init()
    adoptMenus()
  }

  private func adoptMenus() {
    for menu in menus { menu.bar = self }
    needsDisplay()
  }

  override public func wantedExtent(in room: Size) -> Extent { Extent(height: 1) }

  // MARK: - Opening

  /// Opens a menu of it, and closes the one that is open.
  public func open(_ menu: Menu) {
    guard let window, isAvailable, menu.bar === self, openMenu !== menu else { return }
    let former = openMenu
    openMenu = menu
    if let former { former.delegate?.menuDidClose(former) }
    // Who is told may open or close something.
    guard openMenu === menu else { return }
    menu.delegate?.menuWillOpen(menu)
    guard openMenu === menu, self.window === window else { return }
    let panel = MenuPanel(menu, of: self)
    self.panel = panel
    window.overlay = panel
  }

  /// Closes the menu that is open.
  public func close() {
    guard let menu = openMenu else { return }
    openMenu = nil
    if let panel, let window = panel.window, window.overlay === panel { window.overlay = nil }
    needsDisplay()
    menu.delegate?.menuDidClose(menu)
  }

  /// Opens a menu so many to the right of the open one, and goes to its first item.
  func openNeighbour(_ step: Int) {
    guard let index = menus.firstIndex(where: { $0 === openMenu }) else { return }
    openWithKeys(menus[(index + step + menus.count) % menus.count])
  }

  private func openWithKeys(_ menu: Menu) {
    open(menu)
    panel?.goToFirst()
  }

  // MARK: - Keys and mouse

  /// Does what a key is for wherever the focus is. Returns whether it is for anything.
  func performKeyEquivalent(_ press: KeyPress) -> Bool {
    guard isEnabled else { return false }
    let items = menus.lazy.flatMap(\.items)
    if let item = items.first(where: { $0.keyEquivalent == press && $0.canBeChosen }) {
      activate(item)
      return true
    }
    guard press == openKey, !isHidden, let first = menus.first else { return false }
    openWithKeys(first)
    return openMenu === first
  }

  /// Does what an item is for, when the menu is closed.
  func activate(_ item: MenuItem) {
    close()
    item.activate()
  }

  override public func mouse(_ event: MouseEvent, clicks: Int) -> Bool {
    switch event.action {
    case .press(.left):
      if let menu = menu(at: event.position) { open(menu) }
      return true
    // The button may stay down till it is on an item.
    case .drag(.left), .release(.left): return panel?.mouse(event, clicks: clicks) ?? true
    case .press, .drag, .release, .move, .wheel: return false
    }
  }

  /// The menu whose title is at a place in the bar.
  func menu(at point: Point) -> Menu? {
    guard point.y == 0 else { return nil }
    return menus.first { place(of: $0).contains(point.x) }
  }

  /// The columns that the title of a menu takes.
  func place(of menu: Menu) -> Range<Int> {
    var start = 0
    for next in menus {
      let end = start + next.title.cellWidth + 2
      if next === menu { return start..<end }
      start = end
    }
    return start..<start
  }
}

extension MenuBar: CellDrawn {
  /// Draws it.
  public func draw(in painter: inout Painter, theme: Theme) {
    painter.fill(painter.bounds, style: theme.menu)
    for menu in menus {
      let style = menu === openMenu ? theme.selection : theme.menu
      painter.put(" \(menu.title) ", at: Point(x: place(of: menu).lowerBound, y: 0), style: style)
    }
  }
}
