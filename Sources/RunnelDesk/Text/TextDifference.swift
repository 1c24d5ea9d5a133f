extension TextDocument {
  /// Returns the smallest change that turns this text into another one; nil if the texts are equal.
  package func change(to other: String) -> TextChange? {
    let text = text
    let (old, new) = (text.utf8Span.span, other.utf8Span.span)
    let limit = min(old.count, new.count)
    var start = 0
    while start < limit && old[start] == new[start] { start += 1 }
    if start == old.count && start == new.count { return nil }
    start = text.scalarStart(atOrBefore: start)
    // Bytes of the common prefix are not counted as part of the common suffix.
    var same = 0
    while same < limit - start, old[old.count - same - 1] == new[new.count - same - 1] {
      same += 1
    }
    while same > 0 && new[new.count - same].isWithinScalar { same -= 1 }
    let range = position(atByte: start)..<position(atByte: old.count - same)
    return TextChange(range, String(other.piece(start..<(new.count - same))))
  }

  private func position(atByte offset: Int) -> TextPosition {
    var position = TextPosition(line: 0, offset: offset)
    while position.line + 1 < lineCount {
      let length = self[line: position.line].utf8.count
      if position.offset <= length { break }
      position = TextPosition(line: position.line + 1, offset: position.offset - length - 1)
    }
    return position
  }
}
