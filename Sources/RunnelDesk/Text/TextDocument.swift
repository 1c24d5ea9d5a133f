import RunnelCollections

/// A text stored as lines. Reading or changing a part of it takes a time that does not grow with
/// the length of the text.
///
///     var document = TextDocument("one\ntwo")
///     let two = TextPosition(line: 1, offset: 0)..<document.end
///     print(document[two])  // two
///     document.replace(two, with: "three")
///     print(document.text)
///
/// Only "\n" ends a line, so the text is preserved byte by byte. Copying takes constant time;
/// copies share the lines that neither changes.
public struct TextDocument: Hashable, Sendable {
  // The length is compared first. It differs in most documents that are not equal.
  /// The length of the text in UTF-8 bytes.
  public private(set) var utf8Count: Int
  private var lines: SharedArray<String>

  /// Creates a document with a text.
  public init(_ text: String = "") {
    lines = SharedArray(Self.lines(of: text))
    utf8Count = text.utf8.count
  }

  /// The number of lines, which is the number of line breaks plus one.
  public var lineCount: Int { lines.count }

  /// The line at an index, without its line break. Traps if there is no such line.
  public subscript(line index: Int) -> String { lines[index] }

  /// Returns true when both documents share their lines and neither has changed since.
  ///
  /// *Complexity*: constant.
  package func isIdentical(to other: TextDocument) -> Bool { lines.isIdentical(to: other.lines) }

  /// True when the text is empty.
  public var isEmpty: Bool { utf8Count == 0 }

  /// The position after the last character.
  public var end: TextPosition { end(ofLine: lines.count - 1) }

  /// Returns the position after the last character of a line.
  public func end(ofLine line: Int) -> TextPosition {
    TextPosition(line: line, offset: lines[line].utf8.count)
  }

  /// The range of the whole text.
  public var bounds: Range<TextPosition> { .start..<end }

  // MARK: - Text

  /// The whole text.
  public var text: String { self[bounds] }

  /// The text of a range. Ends that are not positions of the text move to the nearest one before.
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

  /// Replaces a range of text, and returns the end of the new text. Ends of the range that are not
  /// positions of the text move to the nearest one before.
  ///
  /// *Complexity*: linear in the length of the new text, the range, and the lines of the range.
  @discardableResult
  public mutating func replace(
    _ range: Range<TextPosition>, with text: String
  ) -> TextPosition {
    let range = scalarAligned(range)
    return change(TextChange(range, text), origin: .outside).newRange.upperBound
  }

  /// Makes a change whose range consists of positions of the text.
  @discardableResult
  mutating func change(_ change: TextChange, origin: TextEdit.Origin) -> TextEdit {
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
    return TextEdit(change.range, old: removed, new: change.replacement, origin: origin)
  }

  /// Returns true if the document's text has the same bytes as a string.
  ///
  /// *Complexity*: linear; no text is built.
  public func hasText(_ text: String) -> Bool {
    guard text.utf8.count == utf8Count else { return false }
    let bytes = text.utf8Span.span
    var offset = 0
    for line in lines {
      let span = line.utf8Span.span
      for index in span.indices where span[index] != bytes[offset + index] { return false }
      offset += span.count
      if offset < bytes.count {
        if bytes[offset] != .newline { return false }
        offset += 1
      }
    }
    return true
  }

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

  // MARK: - Positions

  /// Returns a position if it is a boundary of characters, otherwise the nearest boundary before
  /// it.
  public func clamped(_ position: TextPosition) -> TextPosition {
    let position = scalarAligned(position)
    return TextPosition(
      line: position.line,
      offset: lines[position.line].characterStart(atOrBefore: position.offset))
  }

  /// Aligns a range to scalars. It is not aligned to characters, because the scalars of one
  /// character can be inserted one after the other.
  private func scalarAligned(_ range: Range<TextPosition>) -> Range<TextPosition> {
    scalarAligned(range.lowerBound)..<scalarAligned(range.upperBound)
  }

  func scalarAligned(_ position: TextPosition) -> TextPosition {
    if position.line < 0 { return .start }
    if position.line >= lines.count { return end }
    return TextPosition(
      line: position.line, offset: lines[position.line].scalarStart(atOrBefore: position.offset))
  }
}
