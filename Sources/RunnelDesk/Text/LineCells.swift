import RunnelText

/// A sequence of the characters of a line, with their columns.
struct LineCells: Sequence, IteratorProtocol {
  /// The role of a character in line wrapping.
  enum Kind {
    /// A character such as a space: a row can end after it, and it can extend beyond the end.
    case space
    /// A character such as a hyphen: a row can end after it.
    case hyphen
    /// A character such as an ideograph: a row can end before and after it.
    case wide
    /// Any other character: a row does not end next to it.
    case letter
  }

  struct Element {
    /// The range of the character in the line, in bytes.
    var bytes: Range<Int>
    var column: Int
    /// The number of columns.
    var width: Int
    var kind: Kind
    /// True for a tab, whose width depends on its column.
    var isTab = false
  }

  /// The distance between tab stops, in columns.
  static let tabWidth = 4

  private let line: String
  private let end: Int
  private var offset: Int
  /// The index of `offset`. It is kept because an index caches the length of its character.
  private var index: String.Index
  private var column: Int

  /// Creates a sequence that begins at `offset`, which is at `column`, and ends at `end`.
  init(of line: String, from offset: Int = 0, column: Int = 0, to end: Int? = nil) {
    self.line = line
    self.offset = offset
    self.column = column
    index = line.index(atByte: offset)
    self.end = end ?? line.utf8.count
  }

  mutating func next() -> Element? {
    guard offset < end else { return nil }
    let start = offset
    let utf8 = line.utf8
    let next = utf8.index(after: index)
    let byte = utf8[index]
    var cell = Element(bytes: start..<start, column: column, width: 1, kind: .letter)
    // Most characters are ASCII, and these do not combine with each other.
    let isAlone = byte < 0x80 && (next == utf8.endIndex || utf8[next] < 0x80) && byte != 0x0D
    let character = isAlone ? nil : line[index]
    index = isAlone ? next : line.index(after: index)
    offset += character?.utf8.count ?? 1
    switch (byte, offset - start) {
    case (0x09, 1): cell.becomeTab()
    case (0x20, 1): cell.kind = .space
    case (0x2D, 1): cell.kind = .hyphen
    default:
      if let character { cell.width = character.cellWidth }
      if cell.width == 2 { cell.kind = .wide }
    }
    cell.bytes = start..<offset
    column += cell.width
    return cell
  }
}

extension LineCells.Element {
  fileprivate mutating func becomeTab() {
    isTab = true
    kind = .space
    width = LineCells.tabWidth - column % LineCells.tabWidth
  }
}
