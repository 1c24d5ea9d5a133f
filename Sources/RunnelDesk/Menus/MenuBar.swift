import RunnelStreams
import RunnelText

/// A row of menus above the content of a window.
///
///     window.menuBar = MenuBar([fileMenu, editMenu])
///
/// F10, Alt with a letter, or the mouse opens it. Key equivalents of its items are handled before the first responder
/// receives the key press. Only keys that type text go to the first responder first. A dialog does
/// not show its menu bar, but the key equivalents work. A window with ``Window/MenuStyle/headerBar``
/// shows a button for its menus instead, if it is a window of a desktop.
///
/// Ctrl+P opens the command palette, in which the user finds all items and ``commands`` by a part of
/// their titles.
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

  /// The key that opens the first menu; nil for none.
  public var openKey: KeyPress? = KeyPress(.function(10))

  /// The commands that the palette offers in addition to the menus. Their key equivalents work too.
  public var commands: [MenuItem] {
    get { extraMenu.items }
    set { extraMenu.items = newValue }
  }

  /// The key that opens the command palette, unless a menu item or a key binding uses it; nil for
  /// none.
  public var paletteKey: KeyPress? = KeyPress(.character("p"), .control) {
    didSet { needsDisplay() }
  }

  /// The open menu, if any.
  public var openMenu: Menu? { ownPanel?.menu }
  /// The menu that contains ``commands`` and is not shown.
  private let extraMenu = Menu("")
  /// The commands that were run from the palette, the latest first.
  private(set) var recentCommands = RecentCommands()

  /// Creates a menu bar.
  public init(_ menus: [Menu] = []) {
    self.menus = menus
    super.init()
    adoptMenus()
  }

  private func adoptMenus() {
    for menu in menus + [extraMenu] { menu.bar = self }
    needsDisplay()
  }

  /// The items of all menus, and the commands.
  var allItems: [MenuItem] { (menus + [extraMenu]).flatMap(\.items) }

  /// The items that a key activates now. Of several items with the same key, only the first one is
  /// activated.
  var usableItems: [MenuItem] {
    guard isEnabled else { return [] }
    var keys: Set<KeyPress> = []
    return allItems.filter { item in
      item.canBeChosen && item.keyEquivalent.map { keys.insert($0).inserted } == true
    }
  }

  override public func wantedExtent(in room: Size) -> Extent { Extent(height: 1) }

  // MARK: - Opening

  /// Opens a menu of the bar and closes the open one.
  public func open(_ menu: Menu) {
    guard let window, isAvailable, !window.hasHeaderBar, menu.bar === self, openMenu !== menu else {
      return
    }
    window.open(
      MenuPanel(menu, openedBy: self) { [weak self] in self?.frameInWindow(of: menu) ?? .zero })
  }

  /// Closes the open menu.
  public func close() { ownPanel?.close() }

  /// Opens the menu `step` places to the right of the open one and selects its first item.
  func openNeighbour(_ step: Int) {
    guard let index = menus.firstIndex(where: { $0 === openMenu }) else { return }
    openWithKeys(menus[(index + step + menus.count) % menus.count])
  }

  func openWithKeys(_ menu: Menu) {
    open(menu)
    ownPanel?.goToFirst()
  }

  /// Returns the cells of a menu's title in the window.
  private func frameInWindow(of menu: Menu) -> Rect {
    let (bar, columns) = (frameInWindow, place(of: menu))
    return Rect(x: bar.minX + columns.lowerBound, y: bar.minY, width: columns.count, height: 1)
  }

  // MARK: - Command palette

  /// The key that opens the palette now; nil if it has another meaning or there is no command.
  var usablePaletteKey: KeyPress? {
    guard isEnabled, let paletteKey, window?.application?.keyBindings[paletteKey] == nil else {
      return nil
    }
    let items = allItems
    return items.contains { $0.canBeChosen && $0.keyEquivalent == paletteKey }
      || !items.contains(where: \.canBeChosen) ? nil : paletteKey
  }

  /// Tells the delegates of all menus that the palette opens (true) or has closed.
  func notifyPalette(isOpen: Bool) {
    for menu in menus {
      if isOpen { menu.willOpen() } else { menu.didClose() }
    }
  }

  func runFromPalette(_ item: MenuItem) {
    if item.activate() { recentCommands.insert(item) }
  }

  // MARK: - Keys and mouse

  /// Handles a key press in any view of the window. Returns true if an item or the bar used it.
  func performKeyEquivalent(_ press: KeyPress) -> Bool {
    guard isEnabled else { return false }
    let isInText = window?.firstResponder?.getsLeftKeys == true
    let item = allItems.first {
      $0.keyEquivalent == press && $0.canBeChosen && !(isInText && $0.leavesKeyToText)
    }
    if let item {
      activate(item)
      return true
    }
    if press == paletteKey && press == usablePaletteKey { return openPalette() }
    guard press == openKey, window?.showsMenuBar == true, let first = menus.first else {
      return false
    }
    openWithKeys(first)
    return openMenu === first
  }

  /// Closes the menu and activates an item.
  func activate(_ item: MenuItem) {
    close()
    item.activate()
  }

  override public func mouse(_ event: MouseEvent, clicks: Int) -> Bool {
    switch event.action {
    case .press(.left):
      if let menu = menu(at: event.position) { open(menu) }
      return true
    // The button may be held until the mouse is over an item.
    case .drag(.left), .release(.left): return ownPanel?.mouse(event, clicks: clicks) ?? true
    case .press, .drag, .release, .move, .wheel: return false
    }
  }

  /// Returns the menu whose title is at a position in the bar.
  func menu(at point: Point) -> Menu? {
    guard point.y == 0 else { return nil }
    return menus.first { place(of: $0).contains(point.x) }
  }

  /// Returns the columns of a menu's title.
  package func place(of menu: Menu) -> Range<Int> {
    var start = 0
    for next in menus {
      let end = start + next.title.cellWidth + 2
      if next === menu { return start..<end }
      start = end
    }
    return start..<start
  }
}
