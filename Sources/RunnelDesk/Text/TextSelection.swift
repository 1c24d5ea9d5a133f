/// A selection of text, with a fixed end and a moving end. If both are equal, the selection is
/// empty, and the caret is there.
public struct TextSelection: Hashable, Sendable {
  /// The fixed end of a selection that is extended.
  public var anchor: TextPosition
  /// The moving end, where the caret is.
  public var head: TextPosition

  /// Creates a selection between two positions.
  public init(anchor: TextPosition, head: TextPosition) {
    self.anchor = anchor
    self.head = head
  }

  /// Creates an empty selection with the caret at a position.
  public init(caret: TextPosition) {
    self.init(anchor: caret, head: caret)
  }

  /// Creates a selection of a range, with the caret at its end.
  public init(_ range: Range<TextPosition>) {
    self.init(anchor: range.lowerBound, head: range.upperBound)
  }

  /// An empty selection with the caret at the start of the text.
  public static let start = TextSelection(caret: .start)

  /// The range between both ends.
  public var range: Range<TextPosition> { min(anchor, head)..<max(anchor, head) }

  /// True when nothing is selected.
  public var isEmpty: Bool { anchor == head }
}

extension TextSelection {
  /// Returns the selection with both ends transformed.
  package func map(_ change: (TextPosition) -> TextPosition) -> TextSelection {
    TextSelection(anchor: change(anchor), head: change(head))
  }
}
