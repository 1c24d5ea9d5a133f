/// The selection that the user makes by dragging with the left mouse button.
struct TextDrag {
  /// The unit of the selection, by the click count.
  enum Unit: Int {
    case character, word, line
  }

  var unit: Unit
  /// The unit of text at which the button was pressed.
  var origin: Range<TextPosition>

  init(_ clicks: Int, at position: TextPosition, in document: TextDocument) {
    unit = Unit(rawValue: max(clicks - 1, 0) % 3) ?? .character
    origin = unit.range(at: position, in: document)
  }

  /// Moves the origin along with its text.
  mutating func move(by change: TextChange) {
    origin = origin.moved(by: change)
  }

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
      // The line includes its line break.
      TextPosition(
        line: position.line, offset: 0)..<document.wordEnd(
          after: document.end(ofLine: position.line))
    }
  }
}
