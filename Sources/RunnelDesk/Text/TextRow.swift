/// What one row of a screen shows of a text.
package struct TextRow: Hashable, Sendable {
  /// The line that it is of.
  package var line: Int
  /// How many rows of that line are before it.
  package var index: Int
  /// What of the line it shows, in bytes.
  package var bytes: Range<Int>
  /// Whether the line ends here.
  package var isLast: Bool

  /// Where it begins.
  package var start: TextPosition { TextPosition(line: line, offset: bytes.lowerBound) }

  /// Where it ends; unless the line does, that is where the next one begins.
  package var end: TextPosition { TextPosition(line: line, offset: bytes.upperBound) }
}
