// MARK: - What the program selects

extension TableView {
  /// The selected rows. When the program sets it, the delegate is told and not asked. Rows that there are
  /// not are left out, and where only one can be selected, it is the one that was, else the last. When
  /// it sets none, the keys begin at the first row again.
  public var selectedRows: RangeSet<Int> {
    get { selection.value.rows }
    set {
      let rows = permitted(newValue)
      let lead = rows.ranges.last.map { $0.upperBound - 1 }
      if !rows.isEmpty && rows == selection.value.rows { return }
      change(to: TableSelection(rows, lead: lead, anchor: lead))
    }
  }

  /// The selected row; of several the one that was selected last; nil if there is none. Setting it selects
  /// no other, and scrolls to it.
  public var selectedRow: Int? {
    get { selection.value.row }
    set {
      guard let row = newValue else { return selectedRows = RangeSet() }
      selectedRows = RangeSet(row..<row + 1)
      if selectedRow == row { scrollToRow(row) }
    }
  }

  /// Selects all rows, if several can be selected.
  public func selectAll() {
    if selectionMode == .multiple { selectedRows = RangeSet(0..<rowCount) }
  }

  /// Deselects the rows that are too many. The keys go on from where they were, if that can be.
  func restrictSelection() {
    let old = selection.value
    let rows = permitted(old.rows)
    let lead = TableSelection(rows, lead: old.lead).row ?? old.lead
    if rows != old.rows { change(to: TableSelection(rows, lead: lead, anchor: lead)) }
  }

  /// As many of these rows as can be selected.
  private func permitted(_ rows: RangeSet<Int>) -> RangeSet<Int> {
    let rows = rows.intersection(RangeSet(0..<rowCount))
    switch selectionMode {
    case .none: return RangeSet()
    case .multiple: return rows
    case .single:
      guard let last = rows.ranges.last?.last else { return RangeSet() }
      // The one that matters stays the one.
      let row = selection.value.row.flatMap { rows.contains($0) ? $0 : nil } ?? last
      return RangeSet(row..<row + 1)
    }
  }

  private func change(to new: TableSelection) {
    let revision = revision
    if new.rows != selection.value.rows {
      delegate?.tableView(self, selectionWillChangeTo: new.rows)
    }
    // What was selected meanwhile is what is wanted.
    if revision == self.revision { store(new) }
  }

  /// Has something else selected, and says so.
  func store(_ new: TableSelection) {
    let old = selection.value
    guard new != old else { return }
    revision += 1
    needsDisplay()
    selection.value = new
    guard new.rows != old.rows else { return }
    signals.selection.next(new.rows)
    delegate?.tableViewSelectionDidChange(self)
  }
}

// MARK: - What a person selects

extension TableView {
  /// Selects these rows and no others, as a person does: as far as so many can be selected, and the delegate
  /// agrees. Returns whether they are selected then.
  @discardableResult
  public func propose(selectedRows rows: RangeSet<Int>) -> Bool {
    guard canBeUsed else { return false }
    let (wanted, old) = (permitted(rows), selection.value)
    if wanted.isEmpty {
      // The keys go on from where they were.
      propose(TableSelection(wanted, lead: old.lead, anchor: old.anchor))
    } else {
      let fresh = wanted.subtracting(old.rows).ranges.last?.last
      let lead = fresh ?? TableSelection(wanted, lead: old.lead).row
      propose(TableSelection(wanted, lead: lead, anchor: lead))
    }
    return selectedRows == rows
  }

  /// Selects what a person wants to be selected, as far as the delegate agrees. Returns whether it did.
  ///
  /// - Parameter approved: A row about which it was asked already.
  @discardableResult
  func propose(_ wanted: TableSelection, approved: Int? = nil) -> Bool {
    guard isAvailable, selectionMode != .none else { return false }
    let old = selection.value
    let revision = revision
    var new = wanted
    if hearsOfRows {
      var refused = RangeSet<Int>()
      for row in wanted.rows.subtracting(old.rows).ranges.joined() where row != approved {
        if !maySelect(row) { refused.insert(contentsOf: row..<row + 1) }
        guard revision == self.revision else { return false }
      }
      new.rows.subtract(refused)
      // Nothing of what was wanted is left.
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

  /// Whether somebody hears of each row that is to be selected, of which there may be millions: not a proxy
  /// from whose stream nobody wants to know it.
  private var hearsOfRows: Bool {
    var next = delegate
    while let proxy = next as? TableViewDelegateProxy {
      if proxy.requirements.tableView_shouldSelectRow.isHeard { return true }
      next = proxy.forwardTo
    }
    return next != nil
  }

  func maySelect(_ row: Int) -> Bool {
    delegate?.tableView(self, shouldSelectRow: row) ?? true
  }

  /// Selects what lies between where a person began and a row.
  func proposeExtension(to row: Int) {
    let old = selection.value
    guard selectionMode == .multiple, let anchor = old.anchor ?? old.lead else {
      propose(TableSelection(row))
      return
    }
    let rows = RangeSet(min(anchor, row)..<max(anchor, row) + 1)
    propose(TableSelection(rows, lead: row, anchor: anchor))
  }

  /// Selects a row besides, or no more.
  func proposeToggle(of row: Int) {
    var rows = selectedRows
    rows.toggle(row)
    if selectionMode == .single && !rows.isEmpty { rows = RangeSet(row..<row + 1) }
    propose(TableSelection(rows, lead: row, anchor: row))
  }
}
