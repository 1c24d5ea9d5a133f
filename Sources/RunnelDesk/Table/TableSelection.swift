/// The selected rows of a table, and the rows from which the user continues to select.
struct TableSelection: Hashable {
  var rows = RangeSet<Int>()
  /// The row that was selected last, from which the arrow keys continue. It stays the same when the
  /// row is deselected.
  var lead: Int?
  /// The fixed end of a selection that is extended.
  var anchor: Int?

  /// The selected row in single selection: the lead if it is selected, otherwise the last row.
  var row: Int? {
    if let lead, rows.contains(lead) { return lead }
    return rows.ranges.last.map { $0.upperBound - 1 }
  }

  init(_ row: Int) {
    self.init(RangeSet(row..<row + 1), lead: row, anchor: row)
  }

  init(_ rows: RangeSet<Int> = RangeSet(), lead: Int? = nil, anchor: Int? = nil) {
    self.rows = rows
    self.lead = lead
    self.anchor = anchor
  }
}

extension TableSelection {
  /// The selection follows its rows.
  func shifted(by shift: RowShift, newCount: Int) -> TableSelection {
    TableSelection(
      shift.rows(rows), lead: lead.flatMap { shift.nearest($0, newCount: newCount) },
      anchor: anchor.flatMap { shift.nearest($0, newCount: newCount) })
  }
}

extension RangeSet<Int> {
  var rowCount: Int { ranges.reduce(0) { $0 + $1.count } }

  mutating func toggle(_ row: Int) {
    if contains(row) {
      remove(contentsOf: row..<row + 1)
    } else {
      insert(contentsOf: row..<row + 1)
    }
  }
}
