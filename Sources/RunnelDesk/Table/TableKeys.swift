extension TableView {
  /// Returns true if the command was handled.
  func handle(_ command: Command) -> Bool {
    if delegate?.tableView(self, doCommand: command) == true { return true }
    switch command {
    case .move(let movement): return move(movement, isExtending: false)
    case .extend(let movement): return move(movement, isExtending: true)
    case .insertNewline: return clickMarkedColumn() || activate()
    case .selectAll: return proposeAll()
    case .complete: return toggleLead()
    case .cancel: return forgetMark()
    case .insertTab, .insertBacktab, .delete, .undo, .redo, .moveLinesUp, .moveLinesDown, .cut,
      .copy, .paste, .quit:
      return false
    }
  }

  private func proposeAll() -> Bool {
    guard selectionMode == .multiple else { return false }
    let old = selection.value
    propose(TableSelection(RangeSet(0..<rowCount), lead: old.lead, anchor: old.anchor))
    return true
  }

  /// If `keepingLast` is true, the row stays selected if no other row is.
  private func toggleLead(keepingLast: Bool = false) -> Bool {
    guard selectionMode != .none, let row = selection.value.lead ?? firstRowShown else {
      return false
    }
    if keepingLast && selectedRows == RangeSet(row..<row + 1) { return true }
    proposeToggle(of: row)
    return true
  }

  private var firstRowShown: Int? { rowCount > 0 ? min(visibleRows.lowerBound, rowCount - 1) : nil }

  /// Activates the selected row. Returns false if there is none.
  private func activate() -> Bool {
    guard let row = selectedRow else { return false }
    return activate(row: row)
  }

  /// Begins editing the selected row. Returns false if there is none.
  func beginEditing() -> Bool {
    guard let row = selectedRow else { return false }
    beginEditing(row: row)
    return true
  }

  // MARK: - Type selection

  /// Selects the row that begins with the typed letters. A space that does not continue a word
  /// clicks the marked column title, or else toggles the selection of the lead row, unless it is
  /// the only selected one.
  func insertTyped(_ text: String) -> Bool {
    // Pasted text is not a search for a row.
    guard let character = text.first, text.count == 1 else { return false }
    if character == " " && typed.isEmpty {
      return clickMarkedColumn() || toggleLead(keepingLast: true)
    }
    guard allowsTypeSelect, selectionMode != .none, rowCount > 0 else { return false }
    let scheduler = window?.application?.scheduler
    typed.add(character)
    typeSelect()
    typed.forgetAfterPause(on: scheduler)
    return true
  }

  private func typeSelect() {
    let start = typed.start(from: selection.value.lead)
    let revision = revision
    let count = rowCount
    for row in (start..<start + count).lazy.map({ $0 % count }) {
      let isHit = typed.matches(typeSelectText(of: row))
      guard revision == self.revision else { return }
      if isHit && tryToSelect(row) { return }
      guard revision == self.revision else { return }
    }
  }

  private func typeSelectText(of row: Int) -> String {
    if let text = delegate?.tableView(self, typeSelectTextForRow: row) { return text }
    guard let column = columns.first else { return "" }
    return (shownRows[row] ?? requestCells(of: row))[column.identifier].text
  }

  /// Selects only this row and scrolls to it. Returns false if the delegate does not let the row be
  /// selected.
  @discardableResult
  func tryToSelect(_ row: Int) -> Bool {
    let revision = revision
    guard maySelect(row) else { return false }
    guard revision == self.revision else { return true }
    if propose(TableSelection(row), approved: row) { scrollToRow(row) }
    return true
  }
}
