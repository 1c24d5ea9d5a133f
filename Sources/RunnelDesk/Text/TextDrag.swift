/// What the left button selects while it is down.
struct TextDrag {
  /// How much is selected at once, by the how-manieth click it is.
  enum Unit: Int {
    case character, word, line
  }

  var unit: Unit
  /// What was selected where the button went down.
  var origin: Range<TextPosition>

  init(_ clicks: Int, at position: TextPosition, in document: TextDocument) {
    unit = Unit(rawValue: max(clicks - 1, 0) % 3) ?? .character
    origin = unit.range(at: position, in: document)
  }

  /// All from where it went down to where it is.
  func selection(to position: TextPosition, in document: TextDocument) -> TextSelection {
    let range = unit.range(at: position, in: document)
    if range.lowerBound < origin.lowerBound {
      return TextSelection(anchor: origin.upperBound, head: range.lowerBound)
    }
    return TextSelection(
      anchor: origin.lowerBound, head: max(range.upperBound, origin.upperBound))
  }
}

extension TextDrag.Unit {
  fileprivate func range(
    at position: TextPosition, in document: TextDocument
  ) -> Range<TextPosition> {
    switch self {
    case .character: position..<position
    case .word: document.word(at: position)
    case .line:
      // With the break that ends it.
      TextPosition(
        line: position.line, offset: 0)..<document.wordEnd(
          after: document.end(ofLine: position.line))
    }
  }
}
