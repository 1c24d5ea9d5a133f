// Open menus, which cover a window.
extension Window {
  var menuPanel: MenuPanel? { overlay as? MenuPanel }

  /// Closes the open menu, if any.
  package func closeMenu() { menuPanel?.close() }

  /// Opens a menu and closes the open one. Returns true if the menu is open then.
  @discardableResult
  func open(_ panel: MenuPanel) -> Bool {
    let former = menuPanel
    panel.menu.panel = panel
    overlay = panel
    former?.finish()
    // The delegate may have opened or closed a menu.
    guard overlay === panel else { return false }
    panel.menu.willOpen()
    return overlay === panel
  }

  /// Opens the context menu of the focused view. Returns true if it is open then.
  func openContextMenu() -> Bool {
    let view = firstResponder ?? content
    let panel = view.openContextMenu(below: view.contextMenuAnchor)
    panel?.goToFirst()
    return panel != nil
  }
}
