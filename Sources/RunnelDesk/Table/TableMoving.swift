extension TableView {
  /// Moves the selection to another row, or the mark to another column title. Returns true if the
  /// movement was handled.
  func move(_ movement: Movement, isExtending: Bool) -> Bool {
    switch movement {
    case .left: return outline?.move(.left) == true || mark(by: -1)
    case .right: return outline?.move(.right) == true || mark(by: 1)
    case .wordLeft, .wordRight: return false
    case .up, .down, .pageUp, .pageDown, .lineStart, .lineEnd, .start, .end: break
    }
    forgetMark()
    guard rowCount > 0 else { return false }
    if selectionMode == .none {
      scroll(movement)
      return true
    }
    let (row, step) = destination(of: movement)
    if isExtending && selectionMode == .multiple {
      let revision = revision
      proposeExtension(to: row)
      if revision != self.revision, let lead = selection.value.lead { scrollToRow(lead) }
    } else {
      select(from: row, step)
    }
    return true
  }

  /// Selects a row. If the delegate refuses it, selects the next row in the direction of `step`
  /// that it allows, or else the nearest one in the other direction.
  private func select(from row: Int, _ step: Int) {
    let lead = selection.value.lead
    let revision = revision
    let end = step > 0 ? rowCount : -1
    for row in stride(from: row, to: end, by: step) {
      if tryToSelect(row) { return }
      guard revision == self.revision else { return }
    }
    for row in stride(from: row - step, to: lead ?? (step > 0 ? -1 : rowCount), by: -step)
    where (0..<rowCount).contains(row) {
      if tryToSelect(row) { return }
      guard revision == self.revision else { return }
    }
  }

  /// Returns the row that a movement leads to, and the direction of the movement.
  private func destination(of movement: Movement) -> (row: Int, step: Int) {
    let last = rowCount - 1
    let state = selection.value
    let isUp = movement == .up || movement == .pageUp
    guard let lead = state.lead.map({ min($0, last) }) else {
      return switch movement {
      case .up, .pageUp, .lineEnd, .end: (last, -1)
      case .down, .pageDown, .lineStart, .start, .left, .right, .wordLeft, .wordRight: (0, 1)
      }
    }
    // While nothing is selected, the first arrow key selects the lead row itself.
    if state.rows.isEmpty && (movement == .up || movement == .down) { return (lead, isUp ? -1 : 1) }
    switch movement {
    case .up: return (max(lead - 1, 0), -1)
    case .down: return (min(lead + 1, last), 1)
    case .pageUp: return (row(pagesAway: -1, from: lead), -1)
    case .pageDown: return (row(pagesAway: 1, from: lead), 1)
    case .lineStart, .start: return (0, 1)
    case .lineEnd, .end, .left, .right, .wordLeft, .wordRight: return (last, -1)
    }
  }

  private func row(pagesAway pages: Int, from row: Int) -> Int {
    let line = lines.line(ofRow: row) + pages * max(viewport - 1, 1)
    if line < 0 { return 0 }
    if line >= lines.count { return rowCount - 1 }
    switch lines[line] {
    case .row(let target): return target
    case .heading:
      let below = lines.firstRow(from: line)
      return min(max(pages > 0 ? below : below - 1, 0), rowCount - 1)
    }
  }

  /// Scrolls in a table whose rows cannot be selected.
  private func scroll(_ movement: Movement) {
    switch movement {
    case .up: scrollPosition -= 1
    case .down: scrollPosition += 1
    case .pageUp: scrollPosition -= max(viewport - 1, 1)
    case .pageDown: scrollPosition += max(viewport - 1, 1)
    case .lineStart, .start: scrollPosition = 0
    case .lineEnd, .end: scrollPosition = lines.count
    case .left, .right, .wordLeft, .wordRight: break
    }
  }
}
