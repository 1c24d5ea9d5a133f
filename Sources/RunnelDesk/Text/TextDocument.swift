import RunnelCollections

/// A text in lines, which can be read and changed anywhere in a time that does not grow with it.
///
///     var document = TextDocument("one\ntwo")
///     let two = TextPosition(line: 1, offset: 0)..<document.end
///     print(document[two])  // two
///     document.replace(two, with: "three")
///     print(document.text)
///
/// Lines end in "\n" and in nothing else: the text that comes out is the one that went in, byte by
/// byte. A copy costs nothing and shares what neither changes.
public struct TextDocument: Hashable, Sendable {
  private var lines: SharedArray<String>
  /// How many bytes the text has in UTF-8.
  public private(set) var utf8Count: Int

  /// A document of a text.
  public init(_ text: String = "") {
    lines = SharedArray(Self.lines(of: text))
    utf8Count = text.utf8.count
  }

  /// How many lines there are: one more than line breaks.
  public var lineCount: Int { lines.count }

  /// A line, without its break. Traps if there is none.
  public subscript(line index: Int) -> String { lines[index] }

  /// Whether there is no text.
  public var isEmpty: Bool { utf8Count == 0 }

  /// Behind the last character.
  public var end: TextPosition { end(ofLine: lines.count - 1) }

  /// Behind the last character of a line.
  public func end(ofLine line: Int) -> TextPosition {
    TextPosition(line: line, offset: lines[line].utf8.count)
  }

  /// All from the first character to the last.
  public var bounds: Range<TextPosition> { .start..<end }

  // MARK: - Text

  /// All of the text.
  public var text: String { self[bounds] }

  /// The text of a range. Ends that are no places in the text count as the nearest ones before.
  public subscript(range: Range<TextPosition>) -> String {
    let range = scalarAligned(range)
    let (first, last) = (range.lowerBound.line, range.upperBound.line)
    if first == last { return String(piece(of: first, range.lowerBound, range.upperBound)) }
    var text = ""
    if range == bounds { text.reserveCapacity(utf8Count) }
    text += piece(of: first, range.lowerBound, nil)
    for line in lines[(first + 1)..<last] {
      text += "\n"
      text += line
    }
    text += "\n"
    text += piece(of: last, nil, range.upperBound)
    return text
  }

  /// Puts a text in the place of a range. Ends that are no places in the text count as the nearest
  /// ones before. Returns where what was put in ends.
  ///
  /// *Complexity*: what the text, the range, and their lines are long.
  @discardableResult
  public mutating func replace(
    _ range: Range<TextPosition>, with text: String
  ) -> TextPosition {
    let range = scalarAligned(range)
    return change(TextChange(range, text)).range.upperBound
  }

  /// Makes a change whose ends are places in the text. Returns the one that takes it back.
  mutating func change(_ change: TextChange) -> TextChange {
    let (start, end) = (change.range.lowerBound, change.range.upperBound)
    let removed = self[change.range]
    let newEnd = change.end
    utf8Count += change.replacement.utf8.count - removed.utf8.count
    if start.line == end.line && newEnd.line == start.line {
      lines[start.line].replace(start.offset..<end.offset, with: change.replacement)
    } else {
      let suffix = String(piece(of: end.line, end, nil))
      var inserted = Self.lines(of: String(piece(of: start.line, nil, start)) + change.replacement)
      inserted[inserted.count - 1] += suffix
      lines.replaceSubrange(start.line..<(end.line + 1), with: inserted)
    }
    return TextChange(start..<newEnd, removed)
  }

  /// What of a line lies between two places in it.
  private func piece(
    of line: Int, _ start: TextPosition?, _ end: TextPosition?
  ) -> Substring {
    let text = lines[line]
    return text.piece((start?.offset ?? 0)..<(end?.offset ?? text.utf8.count))
  }

  private static func lines(of text: String) -> [String] {
    let bytes = text.utf8Span.span
    var lines: [String] = []
    var start = 0
    for offset in bytes.indices where bytes[offset] == .newline {
      lines.append(String(text.piece(start..<offset)))
      start = offset + 1
    }
    lines.append(String(text.piece(start..<bytes.count)))
    return lines
  }

  // MARK: - Places

  /// The same place, if it is one between two characters; else the nearest one before, within the
  /// text.
  public func clamped(_ position: TextPosition) -> TextPosition {
    let position = scalarAligned(position)
    return TextPosition(
      line: position.line,
      offset: lines[position.line].characterStart(atOrBefore: position.offset))
  }

  /// Characters may be made of several scalars, which can come one after the other.
  private func scalarAligned(_ range: Range<TextPosition>) -> Range<TextPosition> {
    scalarAligned(range.lowerBound)..<scalarAligned(range.upperBound)
  }

  private func scalarAligned(_ position: TextPosition) -> TextPosition {
    if position.line < 0 { return .start }
    if position.line >= lines.count { return end }
    return TextPosition(
      line: position.line, offset: lines[position.line].scalarStart(atOrBefore: position.offset))
  }
}
