// MARK: - Selection by the program

extension TableView {
  /// The selected rows. When the program sets them, the delegate is notified, but not asked.
  ///
  /// Rows that do not exist are left out. In single selection mode, the selected row stays selected
  /// if it is in the new value; otherwise the last row of the value is selected. Setting no rows
  /// also clears the row from which the arrow keys start.
  public var selectedRows: RangeSet<Int> {
    get { selection.value.rows }
    set {
      let rows = permitted(newValue)
      let lead = rows.ranges.last.map { $0.upperBound - 1 }
      if !rows.isEmpty && rows == selection.value.rows { return }
      change(to: TableSelection(rows, lead: lead, anchor: lead))
    }
  }

  /// The selected row; nil if there is none. Of several rows, the one that was selected last.
  /// Setting it selects only this row and scrolls to it.
  public var selectedRow: Int? {
    get { selection.value.row }
    set {
      guard let row = newValue else { return selectedRows = RangeSet() }
      selectedRows = RangeSet(row..<row + 1)
      if selectedRow == row { scrollToRow(row) }
    }
  }

  /// Selects all rows if the selection mode is `multiple`.
  public func selectAll() {
    if selectionMode == .multiple { selectedRows = RangeSet(0..<rowCount) }
  }

  /// Deselects the rows that the selection mode does not allow. The arrow keys continue from the
  /// same row if possible.
  func restrictSelection() {
    let old = selection.value
    let rows = permitted(old.rows)
    let lead = TableSelection(rows, lead: old.lead).row ?? old.lead
    if rows != old.rows { change(to: TableSelection(rows, lead: lead, anchor: lead)) }
  }

  /// Returns those of the rows that exist and that the selection mode allows.
  private func permitted(_ rows: RangeSet<Int>) -> RangeSet<Int> {
    let rows = rows.intersection(RangeSet(0..<rowCount))
    switch selectionMode {
    case .none: return RangeSet()
    case .multiple: return rows
    case .single:
      guard let last = rows.ranges.last?.last else { return RangeSet() }
      // The current row is kept.
      let row = selection.value.row.flatMap { rows.contains($0) ? $0 : nil } ?? last
      return RangeSet(row..<row + 1)
    }
  }

  private func change(to new: TableSelection) {
    let revision = revision
    if new.rows != selection.value.rows {
      delegate?.tableView(self, selectionWillChangeTo: new.rows)
    }
    // A selection made by the delegate in the meantime is kept.
    if revision == self.revision { setSelectionAndNotify(new) }
  }

  func setSelectionAndNotify(_ new: TableSelection) {
    let old = selection.value
    guard new != old else { return }
    revision += 1
    needsDisplay()
    selection.value = new
    guard new.rows != old.rows else { return }
    delegate?.tableViewSelectionDidChange(self)
  }
}

// MARK: - Selection by the user

extension TableView {
  /// Selects only these rows, as the user does: as far as the selection mode and the delegate
  /// allow. Returns true if exactly these rows are selected afterwards.
  @discardableResult
  public func propose(selectedRows rows: RangeSet<Int>) -> Bool {
    guard canBeUsed else { return false }
    let (wanted, old) = (permitted(rows), selection.value)
    if wanted.isEmpty {
      // The arrow keys continue from the same row.
      propose(TableSelection(wanted, lead: old.lead, anchor: old.anchor))
    } else {
      let fresh = wanted.subtracting(old.rows).ranges.last?.last
      let lead = fresh ?? TableSelection(wanted, lead: old.lead).row
      propose(TableSelection(wanted, lead: lead, anchor: lead))
    }
    return selectedRows == rows
  }

  /// Makes a selection of the user, without the rows that the delegate refuses. Returns true if
  /// that selection is current afterwards.
  ///
  /// - Parameter approved: A row that the delegate has approved already.
  @discardableResult
  func propose(_ wanted: TableSelection, approved: Int? = nil) -> Bool {
    guard isAvailable, selectionMode != .none else { return false }
    let old = selection.value
    let revision = revision
    var new = wanted
    if decidesPerRow {
      var refused = RangeSet<Int>()
      for row in wanted.rows.subtracting(old.rows).ranges.joined() where row != approved {
        if !maySelect(row) { refused.insert(contentsOf: row..<row + 1) }
        guard revision == self.revision else { return false }
      }
      new.rows.subtract(refused)
      // All new rows were refused.
      if !refused.isEmpty && (new.rows.isEmpty || new.rows == old.rows) { return false }
    }
    if new.rows != old.rows {
      guard delegate?.tableView(self, shouldChangeSelectionTo: new.rows) ?? true,
        revision == self.revision
      else { return false }
    }
    change(to: new)
    return selection.value == new
  }

  /// True when the delegate, or a handler of its proxy, decides about each row. Otherwise asking is
  /// skipped, because there may be millions of rows.
  private var decidesPerRow: Bool { delegateHears { $0.tableView_shouldSelectRow.isHeard } }

  func maySelect(_ row: Int) -> Bool {
    delegate?.tableView(self, shouldSelectRow: row) ?? true
  }

  /// Extends the selection from its anchor to a row.
  func proposeExtension(to row: Int) {
    let old = selection.value
    guard selectionMode == .multiple, let anchor = old.anchor ?? old.lead else {
      propose(TableSelection(row))
      return
    }
    let rows = RangeSet(min(anchor, row)..<max(anchor, row) + 1)
    propose(TableSelection(rows, lead: row, anchor: anchor))
  }

  /// Selects a row in addition to the others, or deselects it.
  func proposeToggle(of row: Int) {
    var rows = selectedRows
    rows.toggle(row)
    if selectionMode == .single && !rows.isEmpty { rows = RangeSet(row..<row + 1) }
    propose(TableSelection(rows, lead: row, anchor: row))
  }
}
