/// A cache of the columns of some positions in an unwrapped line. With it, columns of a long line
/// are not counted from the start each time.
struct LineColumns {
  /// A position between two characters, and its column.
  struct Mark {
    var offset = 0
    var column = 0
  }

  private var marks = [Mark()]
  /// True when less than one distance of the line follows the last mark.
  private var isComplete = false

  /// The number of characters between two marks.
  private static let distance = 1_024

  /// Returns the last mark that is not after a byte offset.
  mutating func mark(forOffset offset: Int, of line: String) -> Mark {
    find(in: line) { $0.offset <= offset }
  }

  /// Returns the last mark that is not after a column.
  mutating func mark(forColumn column: Int, of line: String) -> Mark {
    find(in: line) { $0.column <= column }
  }

  /// Discards the marks that a change at a byte offset can affect.
  mutating func forget(from offset: Int) {
    while marks.count > 1, let last = marks.last, last.offset >= offset { marks.removeLast() }
    isComplete = false
  }

  private mutating func find(in line: String, _ isBefore: (Mark) -> Bool) -> Mark {
    while !isComplete, let last = marks.last, isBefore(last) { addMark(after: last, of: line) }
    var (low, high) = (0, marks.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if isBefore(marks[middle]) { low = middle } else { high = middle }
    }
    return marks[low]
  }

  private mutating func addMark(after last: Mark, of line: String) {
    var cells = LineCells(of: line, from: last.offset, column: last.column)
    var mark = last
    for _ in 0..<Self.distance {
      guard let cell = cells.next() else {
        isComplete = true
        return
      }
      mark = Mark(offset: cell.bytes.upperBound, column: cell.column + cell.width)
    }
    marks.append(mark)
  }
}
