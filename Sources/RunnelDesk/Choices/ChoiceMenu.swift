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

extension TextView {
  /// Replaces a part of the text with a choice, as typing does: with the only one at once, or with the one that the
  /// user chooses in a menu at the caret. The menu offers the first 20 choices, and follows what the user types on.
  /// `closing` is added, unless it follows already. Returns false if there is no choice, or the text cannot be edited.
  ///
  ///     let editor = TextView("see [[Mi")
  ///     let typed = TextPosition(line: 0, offset: 6)..<editor.document.end
  ///     editor.complete(typed, from: ["Milk", "Mint"], closing: "]]")
  @discardableResult
  public func complete(
    _ range: Range<TextPosition>, from choices: [String], closing: String = ""
  ) -> Bool {
    guard isEditable, let first = choices.first else { return false }
    if choices.count > 1 { return offer(choices, of: choices, for: range, closing) }
    return propose(replacing: range, with: first + end(after: range, closing))
  }

  private func end(after range: Range<TextPosition>, _ closing: String) -> String {
    let rest = document[range.upperBound..<document.end(ofLine: range.upperBound.line)]
    return rest.hasPrefix(closing) ? "" : closing
  }

  private func offer(
    _ shown: [String], of choices: [String], for range: Range<TextPosition>, _ closing: String
  ) -> Bool {
    let former = document
    let isOpen = openChoices(Array(shown.prefix(20)), selectedIndex: nil) {
      [weak self] _, choice in
      // A program may have changed the text while the menu was open.
      guard let self, document == former else { return }
      propose(replacing: range, with: choice + end(after: range, closing))
    }
    ownPanel?.type = { [weak self] press in
      guard let self else { return false }
      let isBackspace = press == KeyPress(.backspace)
      guard press.text != nil || isBackspace else { return false }
      ownPanel?.close()
      guard document == former, selection == TextSelection(caret: range.upperBound) else {
        return true
      }
      _ = isBackspace ? perform(.delete(.left)) : insert(press.text.map(String.init) ?? "")
      let caret = selection.head
      guard caret.line == range.lowerBound.line, caret >= range.lowerBound else { return true }
      let found = choices.matching(document[range.lowerBound..<caret])
      if !found.isEmpty { _ = offer(found, of: choices, for: range.lowerBound..<caret, closing) }
      return true
    }
    return isOpen
  }
}
