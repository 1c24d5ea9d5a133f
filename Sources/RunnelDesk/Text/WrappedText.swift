extension String {
  /// Returns the rows of the text when wrapped to a width, without trailing spaces.
  func wrapped(to width: Int) -> [Substring] {
    split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).flatMap { line in
      let line = String(line)
      var rows = LineRows()
      rows.find(offset: line.utf8.count, of: line, width: width)
      let starts = rows.starts.map { line.utf8.index(line.startIndex, offsetBy: $0) }
      return zip(starts, starts.dropFirst() + [line.endIndex]).map { start, end in
        var row = line[start..<end]
        while row.last == " " { row.removeLast() }
        return row
      }
    }
  }
}
