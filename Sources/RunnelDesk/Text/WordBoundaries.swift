// A word is as many letters, digits and underscores as stand together. An ideograph is a word by
// itself: where a word of several ends, only a dictionary knows. Line breaks end words.

extension TextDocument {
  /// The next place between two characters.
  func position(after position: TextPosition) -> TextPosition? {
    let line = self[line: position.line]
    if position.offset < line.utf8.count {
      return TextPosition(line: position.line, offset: line.characterEnd(after: position.offset))
    }
    guard position.line + 1 < lineCount else { return nil }
    return TextPosition(line: position.line + 1, offset: 0)
  }

  /// The place between two characters that is the last before another one.
  func position(before position: TextPosition) -> TextPosition? {
    if position.offset > 0 {
      let line = self[line: position.line]
      return TextPosition(line: position.line, offset: line.characterStart(before: position.offset))
    }
    return position.line > 0 ? end(ofLine: position.line - 1) : nil
  }

  /// Where a word begins, the last before a place: or where the line before ends, or all begins.
  func wordStart(before position: TextPosition) -> TextPosition {
    let line = self[line: position.line]
    let end = line.index(atByte: position.offset)
    if end == line.startIndex { return self.position(before: position) ?? .start }
    let isGap = { (character: Character) in WordPart(character) == .gap }
    let wordEnd = line[..<end].lastIndex { !isGap($0) }.map { line.index(after: $0) }
    let start = wordEnd.map { line.partStart(endingAt: $0) } ?? line.startIndex
    return TextPosition(line: position.line, offset: line.byte(at: start))
  }

  /// Where a word ends, the first behind a place: or where the next line begins, or all ends.
  func wordEnd(after position: TextPosition) -> TextPosition {
    let line = self[line: position.line]
    let start = line.index(atByte: position.offset)
    if start == line.endIndex { return self.position(after: position) ?? end }
    let wordStart = line[start...].firstIndex { WordPart($0) != .gap }
    let end = wordStart.map { line.partEnd(startingAt: $0) } ?? line.endIndex
    return TextPosition(line: position.line, offset: line.byte(at: end))
  }

  /// The word at a place, or what is between two: what a double click selects.
  package func word(at position: TextPosition) -> Range<TextPosition> {
    let line = self[line: position.line]
    if line.isEmpty { return position..<position }
    let place = line.index(atByte: position.offset)
    // Behind the last character of a line, it is that one that is meant.
    let inside = place == line.endIndex ? line.index(before: place) : place
    let end = line.partEnd(startingAt: inside)
    let start = line.partStart(endingAt: line.index(after: inside))
    return TextPosition(
      line: position.line, offset: line.byte(at: start))..<TextPosition(
        line: position.line, offset: line.byte(at: end))
  }
}

/// What a character is for words.
private enum WordPart {
  case letter, ideograph, gap

  init(_ character: Character) {
    let first = character.unicodeScalars.first
    if first?.properties.isIdeographic == true {
      self = .ideograph
    } else if character.isLetter || character.isNumber || character == "_" {
      self = .letter
    } else {
      self = .gap
    }
  }
}

extension String {
  /// Where what a character belongs to begins: the one before a place.
  fileprivate func partStart(endingAt end: Index) -> Index {
    var start = index(before: end)
    let part = WordPart(self[start])
    while part != .ideograph, start > startIndex {
      let before = index(before: start)
      guard WordPart(self[before]) == part else { break }
      start = before
    }
    return start
  }

  /// Where what a character belongs to ends: the one behind a place.
  fileprivate func partEnd(startingAt start: Index) -> Index {
    var end = index(after: start)
    let part = WordPart(self[start])
    while part != .ideograph, end < endIndex, WordPart(self[end]) == part {
      end = index(after: end)
    }
    return end
  }
}
