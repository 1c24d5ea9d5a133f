/// The starts of the rows that a line takes on a screen, as far as they have been requested.
///
/// A row ends after a space or a hyphen, or next to a wide character. A word that is longer than a
/// row is split. Spaces extend beyond the end of a row, so they never begin one, except at the
/// start of the line.
package struct LineRows {
  /// The byte offsets in the line at which the rows begin.
  package private(set) var starts = [0]
  /// True when all rows have been found.
  package private(set) var isComplete = false

  /// The cached columns of a line that takes one row.
  var columns = LineColumns()

  package init() {}

  /// Finds rows until the given row is known or the line ends.
  package mutating func find(row: Int, of line: String, width: Int?) {
    while starts.count <= row && !isComplete { findNext(of: line, width) }
  }

  /// Finds all rows that begin at an offset or before it.
  package mutating func find(offset: Int, of line: String, width: Int?) {
    while let last = starts.last, last <= offset, !isComplete { findNext(of: line, width) }
  }

  /// Discards the rows that a change at an offset can affect.
  package mutating func forget(from offset: Int) {
    // The first word of a row may fit into the previous row now. An inserted scalar may combine
    // with the last character of the previous row and change its width.
    let concerned = index(at: offset) - 1
    starts.removeSubrange(max(concerned, 1)...)
    columns.forget(from: offset)
    isComplete = false
  }

  /// Returns the index of the row that contains an offset, among the known rows.
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

  /// Returns the start of the next row; nil if the line ends in this row.
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
