/// Where the rows begin that a line takes on a screen, as far as somebody has asked.
///
/// A row ends behind a space or a hyphen, or beside a wide character; a word that is longer than a row
/// is cut. Spaces never begin a row, unless the line does: they go beyond the end of the one before.
package struct LineRows {
  /// The bytes of the line before each row.
  package private(set) var starts = [0]
  /// Whether there are no rows behind these.
  package private(set) var isComplete = false

  /// Where its columns are, if it takes one row.
  var columns = LineColumns()

  package init() {}

  /// Makes sure that there is a row with a number, or that all are there.
  package mutating func find(row: Int, of line: String, width: Int?) {
    while starts.count <= row && !isComplete { findNext(of: line, width) }
  }

  /// Makes sure that all rows are there that begin at a place or before.
  package mutating func find(offset: Int, of line: String, width: Int?) {
    while let last = starts.last, last <= offset, !isComplete { findNext(of: line, width) }
  }

  /// Forgets the rows that a change to the line may concern, which begins at a place.
  package mutating func forget(from offset: Int) {
    // The first word of a row might fit into the one before now. And what comes to a place may join
    // the character before it, which is of the row before then, and of a width of its own.
    let concerned = index(at: offset) - 1
    starts.removeSubrange(max(concerned, 1)...)
    columns.forget(from: offset)
    isComplete = false
  }

  /// The number of the row that a place is in, of those that are known.
  func index(at offset: Int) -> Int {
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    return low
  }

  private mutating func findNext(of line: String, _ width: Int?) {
    if let width, let start = starts.last, let next = Self.end(ofRowAt: start, of: line, width) {
      starts.append(next)
    } else {
      isComplete = true
    }
  }

  /// Where the next row begins; nil if the line ends in this one.
  private static func end(ofRowAt start: Int, of line: String, _ width: Int) -> Int? {
    var lastBreak: Int?
    for cell in LineCells(of: line, from: start) {
      let isFirst = cell.bytes.lowerBound == start
      if cell.kind == .wide && !isFirst { lastBreak = cell.bytes.lowerBound }
      if cell.column + cell.width > width && cell.kind != .space && !isFirst {
        return lastBreak ?? cell.bytes.lowerBound
      }
      if cell.kind != .letter { lastBreak = cell.bytes.upperBound }
    }
    return nil
  }
}
