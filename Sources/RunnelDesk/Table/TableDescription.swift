// The value of a table in its accessibility description.
extension TableView {
  /// The marked column title, or the row that was selected last, or else the number of rows.
  var rowDescription: String {
    if hasFocus, let column = columns.first(where: { $0.identifier == markedColumn }) {
      return "\(column.title), column title"
    }
    guard let row = selectedRow, row < rowCount else {
      return rowCount == 0 ? placeholder : "\(rowCount) \(rowCount == 1 ? "row" : "rows")"
    }
    let cells = shownRows[row] ?? requestCells(of: row)
    var parts = columns.map { cells[$0.identifier].text }.filter { !$0.isEmpty }
    if let outline, outline.isExpandable(row: row) {
      parts.append(outline.isExpanded(row: row) ? "expanded" : "collapsed")
    }
    if let depth = outline?.depth(ofRow: row), depth > 0 { parts.append("level \(depth + 1)") }
    parts.append("row \(row + 1) of \(rowCount)")
    let count = selectedRows.rowCount
    if count > 1 { parts.append("\(count) selected") }
    return parts.joined(separator: ", ")
  }
}
