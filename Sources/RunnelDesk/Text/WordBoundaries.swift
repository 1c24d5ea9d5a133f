// A word is a run of letters, digits and underscores. Each ideograph counts as a word, because only
// a dictionary knows the words of several ideographs. Line breaks end words.

extension TextDocument {
  /// Returns the next boundary of characters; nil at the end of the text.
  func position(after position: TextPosition) -> TextPosition? {
    let line = self[line: position.line]
    if position.offset < line.utf8.count {
      return TextPosition(line: position.line, offset: line.characterEnd(after: position.offset))
    }
    guard position.line + 1 < lineCount else { return nil }
    return TextPosition(line: position.line + 1, offset: 0)
  }

  /// Returns the previous boundary of characters; nil at the start of the text.
  func position(before position: TextPosition) -> TextPosition? {
    if position.offset > 0 {
      let line = self[line: position.line]
      return TextPosition(line: position.line, offset: line.characterStart(before: position.offset))
    }
    return position.line > 0 ? end(ofLine: position.line - 1) : nil
  }

  /// Returns the start of the last word that begins before a position in its line. At the start of
  /// a line, returns the end of the previous line.
  func wordStart(before position: TextPosition) -> TextPosition {
    if position.offset == 0 { return self.position(before: position) ?? .start }
    var start = 0
    for part in WordParts(of: self[line: position.line]) {
      if part.bytes.lowerBound >= position.offset { break }
      if part.kind != .gap { start = part.bytes.lowerBound }
    }
    return TextPosition(line: position.line, offset: start)
  }

  /// Returns the end of the first word that ends after a position in its line. At the end of a
  /// line, returns the start of the next line.
  func wordEnd(after position: TextPosition) -> TextPosition {
    let lineEnd = end(ofLine: position.line)
    if position == lineEnd { return self.position(after: position) ?? lineEnd }
    for part in WordParts(of: self[line: position.line], from: position.offset)
    where part.kind != .gap {
      return TextPosition(line: position.line, offset: part.bytes.upperBound)
    }
    return lineEnd
  }

  /// Returns the word at a position, or the gap between two words: the range that a double click
  /// selects.
  package func word(at position: TextPosition) -> Range<TextPosition> {
    var bytes = 0..<0
    for part in WordParts(of: self[line: position.line]) {
      bytes = part.bytes
      // A position at the end of the line selects the last part.
      if bytes.contains(position.offset) { break }
    }
    let (start, end) = (bytes.lowerBound, bytes.upperBound)
    return TextPosition(
      line: position.line, offset: start)..<TextPosition(
        line: position.line, offset: end)
  }
}

/// A sequence of the words of a line and the gaps between them.
///
/// It only goes forward. Going back within a run of flags, the standard library would start at the
/// first flag for each of them.
struct WordParts: Sequence, IteratorProtocol {
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
