/// Which rows of a table are selected, and from where on a person goes on selecting.
struct TableSelection: Hashable {
  /// The selected rows.
  var rows = RangeSet<Int>()
  /// The row that was selected last, from which the arrow keys go on. It stays where it is when the row is
  /// deselected.
  var lead: Int?
  /// The row that holds still while a selection is extended.
  var anchor: Int?

  /// The row that matters where only one can: the last selected one, as far as it is still selected.
  var row: Int? {
    if let lead, rows.contains(lead) { return lead }
    return rows.ranges.last.map { $0.upperBound - 1 }
  }

  /// Only one row.
  init(_ row: Int) {
    self.init(RangeSet(row..<row + 1), lead: row, anchor: row)
  }

  /// Some rows.
  init(_ rows: RangeSet<Int> = RangeSet(), lead: Int? = nil, anchor: Int? = nil) {
    self.rows = rows
    self.lead = lead
    self.anchor = anchor
  }
}

extension TableSelection {
  /// The selection after the rows have changed: it stays with what it was made of.
  func shifted(by shift: RowShift, newCount: Int) -> TableSelection {
    TableSelection(
      shift.rows(rows), lead: lead.flatMap { shift.nearest($0, newCount: newCount) },
      anchor: anchor.flatMap { shift.nearest($0, newCount: newCount) })
  }
}

extension RangeSet<Int> {
  /// How many rows there are in it.
  var rowCount: Int { ranges.reduce(0) { $0 + $1.count } }

  mutating func toggle(_ row: Int) {
    if contains(row) {
      remove(contentsOf: row..<row + 1)
    } else {
      insert(contentsOf: row..<row + 1)
    }
  }
}
