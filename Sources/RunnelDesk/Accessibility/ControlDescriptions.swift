import RunnelText

// The values of the controls' descriptions.

extension EditedControl {
  /// The selected text, or else the character at the caret.
  var caretDetail: String {
    let selection = state.selection
    if !selection.range.isEmpty { return "selected \(document[selection.range])" }
    let rest = document[selection.head..<document.end(ofLine: selection.head.line)]
    return rest.first.map { $0 == " " ? "space" : String($0) } ?? "end of line"
  }
}

extension TextView {
  /// The line with the caret.
  var lineDescription: String {
    let line = document.clamped(selection.head).line
    let text = document[line: line]
    return "\(text.isEmpty ? "empty" : text), line \(line + 1) of \(document.lineCount)"
  }
}

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

extension MenuPanel {
  /// The current item with its key.
  var itemDescription: String {
    let items = menu.items.filter { !$0.isSeparator }
    guard let current, let index = items.firstIndex(where: { $0 === current }) else { return "" }
    var parts = [current.title]
    if current.isChecked { parts.append("checked") }
    if let key = current.keyEquivalent { parts.append(key.label) }
    parts.append("item \(index + 1) of \(items.count)")
    return parts.joined(separator: ", ")
  }
}

extension TextField {
  /// The text, or the number of its characters if the text is secret.
  var spokenText: String {
    isSecure ? "\(text.count) character\(text.count == 1 ? "" : "s")" : text
  }
}

extension [String] {
  /// The text at an index and its place: "Home, 2 of 3".
  func place(of index: Int?) -> String {
    guard let index, indices.contains(index) else { return "nothing selected" }
    return "\(self[index]), \(index + 1) of \(count)"
  }
}
