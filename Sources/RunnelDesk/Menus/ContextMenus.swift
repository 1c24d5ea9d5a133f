// Context menus: opened by the mouse and keys at a view.
extension View {
  /// The menu that the secondary mouse button, Shift+F10 or the Menu key opens; nil to use the one of
  /// ``superview``. Update its items in `menuWillOpen` of its delegate.
  ///
  ///     table.contextMenu = Menu("Note", [MenuItem("Rename"), MenuItem("Delete")])
  public var contextMenu: Menu? {
    get { storedContextMenu as? Menu }
    // The old menu is released after the assignment.
    set { withExtendedLifetime(storedContextMenu) { storedContextMenu = newValue } }
  }

  /// The context menu of the view or of its nearest ancestor with one. A backend with native menus
  /// shows it. A view with a choice for what is at its caret, such as a misspelled word, has another menu.
  package var nearestContextMenu: Menu? {
    sequence(first: self, next: \.superview).lazy.compactMap { $0.choiceMenu ?? $0.contextMenu }
      .first
  }

  private var choiceMenu: Menu? {
    let choices = contextChoices
    if choices.isEmpty { return nil }
    return Menu(
      "",
      choices.map { choice in
        if choice.title.isEmpty { return .separator }
        let item = MenuItem(choice.title)
        item.isEnabled = choice.action != nil
        item.activations.observeNext { choice.action?() }
        return item
      })
  }

  /// Opens the context menu of the view, or of its nearest ancestor with one, at a position in the
  /// view. Returns true if a menu is open then.
  @discardableResult
  public func openContextMenu(at point: Point) -> Bool {
    openContextMenu(below: Rect(origin: point, size: Size(width: 1, height: 0))) != nil
  }

  func openContextMenu(below part: Rect) -> MenuPanel? {
    guard canBeUsed,
      let menu = nearestContextMenu,
      let panel = openPanel(
        of: menu, below: Rect(origin: part.origin, size: Size(width: 1, height: part.height)))
    else { return nil }
    // A menu without items has nothing to show.
    if menu.items.isEmpty { panel.close() }
    return menu.items.isEmpty ? nil : panel
  }

  /// The open menu that the view has opened.
  var ownPanel: MenuPanel? { window?.menuPanel.flatMap { $0.opener === self ? $0 : nil } }

  /// Returns nil if the menu is closed again, or the window is not in front.
  func openPanel(
    of menu: Menu, below part: Rect, choose: @escaping (MenuItem) -> Void = { $0.activate() }
  ) -> MenuPanel? {
    guard let window, window.isKey else { return nil }
    let anchor = { [weak self] in
      let frame = self?.frameInWindow ?? .zero
      return part.offset(byX: frame.minX, y: frame.minY)
    }
    let panel = MenuPanel(menu, openedBy: self, below: anchor, choose: choose)
    return window.open(panel) ? panel : nil
  }
}
