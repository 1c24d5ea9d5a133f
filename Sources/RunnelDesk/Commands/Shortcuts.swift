/// A backend that can show the keys of a window in a native window.
@MainActor
package protocol ShortcutsBackend: Backend {
  /// Shows the keys. Returns false if it cannot.
  func showShortcuts(of window: Window) -> Bool
}

/// The keys of one menu.
package struct ShortcutGroup {
  package let title: String
  package let shortcuts: [(title: String, key: KeyPress)]

  package init(title: String, shortcuts: [(title: String, key: KeyPress)]) {
    self.title = title
    self.shortcuts = shortcuts
  }
}

extension Window {
  /// Shows the keys of the menu items and of the application in a native window.
  ///
  /// Returns false if the backend has no such window, as in a terminal. Show a page of your own then.
  ///
  /// In a window of a desktop, F1 and Ctrl+? show the keys too, unless the application uses these keys.
  @discardableResult
  public func showShortcuts() -> Bool {
    (application?.backend as? any ShortcutsBackend)?.showShortcuts(of: self) ?? false
  }

  /// The keys of each menu, and the keys of the application that no menu contains.
  package var shortcutGroups: [ShortcutGroup] {
    let menus = menuBar?.menus ?? []
    let groups = menus.map { menu in
      ShortcutGroup(
        title: menu.title,
        shortcuts: menu.items.compactMap { item in item.keyEquivalent.map { (item.title, $0) } })
    }
    let used = Set(groups.flatMap { $0.shortcuts.map(\.key) })
    let others = [
      ("All commands", menuBar?.usablePaletteKey),
      ("Quit", application?.keyBindings.key(for: .quit)),
    ].compactMap { title, key in key.map { (title, $0) } }
    let free = others.filter { !used.contains($0.1) }
    return (groups + [ShortcutGroup(title: "Application", shortcuts: free)])
      .filter { !$0.shortcuts.isEmpty }
  }
}
