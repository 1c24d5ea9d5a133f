/// Which columns some places of a line are at, where it takes but one row: nobody counts the columns of a long
/// one again and again.
struct LineColumns {
  /// A place between two characters, and its column.
  struct Mark {
    var offset = 0
    var column = 0
  }

  private var marks = [Mark()]
  /// Whether the line ends soon behind the last mark.
  private var isComplete = false

  /// How many characters are between two marks.
  private static let distance = 1_024

  /// The last mark that is not behind a place of the line.
  mutating func mark(forOffset offset: Int, of line: String) -> Mark {
    find(in: line) { $0.offset <= offset }
  }

  /// The last mark that is not behind a column of the line.
  mutating func mark(forColumn column: Int, of line: String) -> Mark {
    find(in: line) { $0.column <= column }
  }

  /// Forgets what a change to the line may concern, which begins at a place.
  mutating func forget(from offset: Int) {
    while marks.count > 1, let last = marks.last, last.offset >= offset { marks.removeLast() }
    isComplete = false
  }

  private mutating func find(in line: String, _ isBefore: (Mark) -> Bool) -> Mark {
    while !isComplete, let last = marks.last, isBefore(last) { addMark(behind: last, of: line) }
    var (low, high) = (0, marks.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if isBefore(marks[middle]) { low = middle } else { high = middle }
    }
    return marks[low]
  }

  private mutating func addMark(behind last: Mark, of line: String) {
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
