// What a person does with a row, beside selecting it.
extension TableView {
  /// Activates a row, as a person does with Return or a double click. Returns whether there is such a row.
  @discardableResult
  public func activate(row: Int) -> Bool {
    guard canUse(row: row) else { return false }
    let revision = revision
    signals.activation.next(row)
    // Who observes it may have changed the rows.
    guard revision == self.revision else { return true }
    delegate?.tableView(self, didActivateRow: row)
    return true
  }

  /// Has a row edited, as a person does with F2, if the delegate agrees: it is scrolled to, and the delegate
  /// shows a field there. Returns whether the delegate was told to.
  @discardableResult
  public func beginEditing(row: Int) -> Bool {
    guard canUse(row: row) else { return false }
    let revision = revision
    guard delegate?.tableView(self, shouldEditRow: row) ?? true, revision == self.revision else {
      return false
    }
    scrollToRow(row)
    // Who is told what is seen may have changed the rows.
    guard revision == self.revision else { return false }
    delegate?.tableView(self, didBeginEditingRow: row)
    return true
  }

  private func canUse(row: Int) -> Bool { canBeUsed && (0..<rowCount).contains(row) }
}
