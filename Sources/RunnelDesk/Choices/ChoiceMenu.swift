// Menus with the choices of a control.
extension View {
  /// Opens a menu with choices below the control. `choose` is called with the index and the text of
  /// the chosen one. Returns true if the menu is open then.
  func openChoices(
    _ choices: [String], selectedIndex: Int?, choose: @escaping @MainActor (Int, String) -> Void
  ) -> Bool {
    guard canBeUsed, !choices.isEmpty else { return false }
    let items = choices.map { MenuItem($0) }
    if let selectedIndex { items[selectedIndex].isChecked = true }
    let panel = openPanel(of: Menu("", items), below: contextMenuAnchor) { item in
      if let index = items.firstIndex(where: { $0 === item }) { choose(index, item.title) }
    }
    panel?.go(to: selectedIndex ?? 0)
    return panel != nil
  }

  /// Handles a mouse event of a control that opens a menu. The button may be held until the mouse is
  /// over an item.
  func openWithMouse(_ event: MouseEvent, clicks: Int, _ open: () -> Void) -> Bool {
    switch event.action {
    case .press(.left):
      open()
      return true
    case .drag(.left), .release(.left):
      var inside = event
      let frame = frameInWindow
      inside.position = Point(
        x: event.position.x.plus(frame.minX), y: event.position.y.plus(frame.minY))
      return ownPanel?.mouse(inside, clicks: clicks) ?? true
    case .press, .drag, .release, .move, .wheel: return false
    }
  }
}
