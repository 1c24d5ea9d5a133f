/// A row on the screen, which shows a part of a line.
package struct TextRow: Hashable, Sendable {
  package var line: Int
  /// The number of rows of that line above this one.
  package var index: Int
  /// The part of the line that the row shows, in bytes.
  package var bytes: Range<Int>
  /// True when the line ends in this row.
  package var isLast: Bool

  package var start: TextPosition { TextPosition(line: line, offset: bytes.lowerBound) }

  /// The end of the row, which is the start of the next row unless the line ends.
  package var end: TextPosition { TextPosition(line: line, offset: bytes.upperBound) }
}
