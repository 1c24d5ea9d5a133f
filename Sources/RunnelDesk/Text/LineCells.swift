import RunnelText

/// The characters of a line from a place on, and the columns that they take.
struct LineCells: Sequence, IteratorProtocol {
  /// What a character is where a row is to end.
  enum Kind {
    /// One that a row may end behind, and that may stand beyond its end: there is nothing to see.
    case space
    /// One that a row may end behind.
    case hyphen
    /// One that a row may end before and behind, such as an ideograph.
    case wide
    /// One that stays with its neighbours.
    case letter
  }

  struct Element {
    /// Where it is in the line, in bytes.
    var bytes: Range<Int>
    /// Which column it begins at.
    var column: Int
    /// How many columns it takes.
    var width: Int
    var kind: Kind
    /// Whether it is a tab, which is as wide as it has to be.
    var isTab = false
  }

  /// A tab goes on to the next column that this divides.
  static let tabWidth = 4

  private let line: String
  private let end: Int
  private var offset: Int
  /// The place of the offset: one that comes from a character knows of the next one.
  private var index: String.Index
  private var column: Int

  /// The characters from a place on, which is at a column, to another place.
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
    // What most texts consist of is joined by nothing.
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
