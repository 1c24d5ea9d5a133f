/// What is selected of a text: all between an end that stays and one that moves. If both are one
/// place, nothing is selected, and the caret is there.
public struct TextSelection: Hashable, Sendable {
  /// The end that stays when the selection is extended.
  public var anchor: TextPosition
  /// The end that moves. The caret is here.
  public var head: TextPosition

  /// What lies between two places.
  public init(anchor: TextPosition, head: TextPosition) {
    self.anchor = anchor
    self.head = head
  }

  /// Nothing, with the caret at a place.
  public init(caret: TextPosition) {
    self.init(anchor: caret, head: caret)
  }

  /// What lies in a range, with the caret at its end.
  public init(_ range: Range<TextPosition>) {
    self.init(anchor: range.lowerBound, head: range.upperBound)
  }

  /// Nothing, with the caret at the beginning.
  public static let start = TextSelection(caret: .start)

  /// All between both ends.
  public var range: Range<TextPosition> { min(anchor, head)..<max(anchor, head) }

  /// Whether nothing is selected.
  public var isEmpty: Bool { anchor == head }
}

extension TextSelection {
  /// With both ends changed in one way.
  func map(_ change: (TextPosition) -> TextPosition) -> TextSelection {
    TextSelection(anchor: change(anchor), head: change(head))
  }
}
