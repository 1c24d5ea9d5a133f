extension StringProtocol {
  /// The rows that it takes in a column of a width: broken at line ends and between words; a word that
  /// is too long is cut.
  func wrapped(to width: Int) -> [SubSequence] {
    split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .flatMap { $0.wrappedLine(to: Swift.max(width, 1)) }
  }

  private func wrappedLine(to width: Int) -> [SubSequence] {
    var rows: [SubSequence] = []
    var rest = self[...]
    while true {
      let fitting = rest.prefix(cellWidth: width)
      if fitting.endIndex == endIndex { return rows + [rest] }
      var end = fitting.endIndex
      if rest[end] != " ", let space = fitting.lastIndex(of: " "),
        fitting.contains(where: { $0 != " " })
      {
        end = index(after: space)
      }
      // What is wider than the column takes a row all the same.
      if end == rest.startIndex { end = index(after: end) }
      var row = rest[..<end]
      while row.last == " " { row.removeLast() }
      rows.append(row)
      rest = rest[end...].drop { $0 == " " }
      if rest.isEmpty { return rows }
    }
  }
}
