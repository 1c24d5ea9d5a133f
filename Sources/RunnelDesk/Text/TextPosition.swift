/// A place between two characters of a text: before the first one of a line, behind the last one, or
/// between.
public struct TextPosition: Hashable, Sendable {
  /// How many lines are before its own.
  public var line: Int
  /// How many bytes of its line are before it, in UTF-8.
  public var offset: Int

  /// A place in a line.
  public init(line: Int, offset: Int) {
    self.line = line
    self.offset = offset
  }

  /// The beginning of every text.
  public static let start = TextPosition(line: 0, offset: 0)
}

extension TextPosition: Comparable {
  /// Whether one is before the other in the text.
  public static func < (left: TextPosition, right: TextPosition) -> Bool {
    left.line == right.line ? left.offset < right.offset : left.line < right.line
  }
}

extension TextPosition: CustomStringConvertible {
  /// The line and the bytes before it, from zero.
  public var description: String { "\(line):\(offset)" }
}

extension TextPosition {
  /// Where a text ends that begins here.
  func behind(_ text: some StringProtocol) -> TextPosition {
    var end = self
    for byte in text.utf8 {
      end.offset += 1
      if byte == .newline { end = TextPosition(line: end.line + 1, offset: 0) }
    }
    return end
  }

  /// Where it is after a change: what it stood beside goes with it. Where that is gone, it is as near
  /// as can be.
  func moved(by change: TextChange) -> TextPosition {
    if self <= change.range.lowerBound { return self }
    let (oldEnd, newEnd) = (change.range.upperBound, change.end)
    if self < oldEnd { return min(self, newEnd) }
    return TextPosition(
      line: line - oldEnd.line + newEnd.line,
      offset: line == oldEnd.line ? offset - oldEnd.offset + newEnd.offset : offset)
  }
}
