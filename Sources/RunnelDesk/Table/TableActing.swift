// Activating and editing rows.
extension TableView {
  /// Activates a row, as Return or a double click does. Returns false if there is no such row, or
  /// the table cannot be used.
  @discardableResult
  public func activate(row: Int) -> Bool {
    guard canUse(row: row) else { return false }
    delegate?.tableView(self, didActivateRow: row)
    return true
  }

  /// Begins editing a row, as F2 does, if the delegate agrees. The table scrolls to the row and
  /// notifies the delegate, which shows a text field there. Returns true if editing has begun.
  @discardableResult
  public func beginEditing(row: Int) -> Bool {
    guard canUse(row: row) else { return false }
    let revision = revision
    guard delegate?.tableView(self, shouldEditRow: row) ?? true, revision == self.revision else {
      return false
    }
    scrollToRow(row)
    // The delegate may have changed the rows when it was notified of the scrolling.
    guard revision == self.revision else { return false }
    delegate?.tableView(self, didBeginEditingRow: row)
    return true
  }

  private func canUse(row: Int) -> Bool { canBeUsed && (0..<rowCount).contains(row) }
}
