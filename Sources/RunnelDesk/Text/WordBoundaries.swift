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
    if position.offset == 0 { return self.position(before: position) ?? .start }
    var start = 0
    for part in WordParts(of: self[line: position.line]) {
      if part.bytes.lowerBound >= position.offset { break }
      if part.kind != .gap { start = part.bytes.lowerBound }
    }
    return TextPosition(line: position.line, offset: start)
  }

  /// Where a word ends, the first behind a place: or where the next line begins, or all ends.
  func wordEnd(after position: TextPosition) -> TextPosition {
    let lineEnd = end(ofLine: position.line)
    if position == lineEnd { return self.position(after: position) ?? lineEnd }
    for part in WordParts(of: self[line: position.line], from: position.offset)
    where part.kind != .gap {
      return TextPosition(line: position.line, offset: part.bytes.upperBound)
    }
    return lineEnd
  }

  /// The word at a place, or what is between two: what a double click selects.
  package func word(at position: TextPosition) -> Range<TextPosition> {
    var bytes = 0..<0
    for part in WordParts(of: self[line: position.line]) {
      bytes = part.bytes
      // Behind the last character of a line, it is that one that is meant.
      if bytes.contains(position.offset) { break }
    }
    let (start, end) = (bytes.lowerBound, bytes.upperBound)
    return TextPosition(
      line: position.line, offset: start)..<TextPosition(
        line: position.line, offset: end)
  }
}

/// The words of a line from a place on, and what is between them.
///
/// It goes forward only: to find where a flag begins, the standard library goes back to the first flag
/// of a row of them, each time.
private struct WordParts: Sequence, IteratorProtocol {
  enum Kind {
    case word, gap
  }

  private let line: String
  private var index: String.Index

  init(of line: String, from offset: Int = 0) {
    self.line = line
    index = line.index(atByte: offset)
  }

  mutating func next() -> (bytes: Range<Int>, kind: Kind)? {
    guard index < line.endIndex else { return nil }
    let start = line.byte(at: index)
    let first = line[index]
    let isWord = first.isInWords
    line.formIndex(after: &index)
    while !first.isIdeograph, index < line.endIndex {
      let character = line[index]
      if character.isInWords != isWord || character.isIdeograph { break }
      line.formIndex(after: &index)
    }
    return (start..<line.byte(at: index), isWord ? .word : .gap)
  }
}

extension Character {
  fileprivate var isIdeograph: Bool {
    unicodeScalars.first?.properties.isIdeographic == true
  }

  fileprivate var isInWords: Bool { isLetter || isNumber || self == "_" }
}
