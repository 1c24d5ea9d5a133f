/// A position between two characters of a text, or at the start or the end of a line.
public struct TextPosition: Hashable, Sendable {
  /// The index of the line, from zero.
  public var line: Int
  /// The number of UTF-8 bytes before the position in its line.
  public var offset: Int

  /// Creates a position.
  public init(line: Int, offset: Int) {
    self.line = line
    self.offset = offset
  }

  /// The start of any text.
  public static let start = TextPosition(line: 0, offset: 0)
}

extension TextPosition: Comparable {
  /// Returns true if the left position is before the right one in the text.
  public static func < (left: TextPosition, right: TextPosition) -> Bool {
    left.line == right.line ? left.offset < right.offset : left.line < right.line
  }
}

extension TextPosition: CustomStringConvertible {
  /// The line and the offset, both from zero.
  public var description: String { "\(line):\(offset)" }
}

extension TextPosition {
  /// Returns the end of a text that begins at this position.
  package func advanced(over text: some StringProtocol) -> TextPosition {
    var end = self
    for byte in text.utf8 {
      end.offset += 1
      if byte == .newline { end = TextPosition(line: end.line + 1, offset: 0) }
    }
    return end
  }

  /// The position moves along with the text next to it. A position within the replaced range stays
  /// as near as possible.
  package func moved(by change: TextChange) -> TextPosition {
    if self <= change.range.lowerBound { return self }
    let (oldEnd, newEnd) = (change.range.upperBound, change.end)
    if self < oldEnd { return min(self, newEnd) }
    return TextPosition(
      line: line - oldEnd.line + newEnd.line,
      offset: line == oldEnd.line ? offset - oldEnd.offset + newEnd.offset : offset)
  }
}

extension Range<TextPosition> {
  /// Returns the range after a change, with the same text.
  package func moved(by change: TextChange) -> Range {
    let end = upperBound.moved(by: change)
    return Swift.min(lowerBound.moved(by: change), end)..<end
  }
}
