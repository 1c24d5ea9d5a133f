/// The dots that a secure ``TextField`` shows instead of the characters of its text.
struct SecureText {
  /// A text of one dot per character, with the corresponding selection.
  private(set) var state = EditingState(isSingleLine: true)

  private static let dot = "•"

  /// Follows a change of the hidden text or its selection.
  mutating func update(to hidden: EditingState) {
    let text = hidden.document.text
    state.replaceText(with: String(repeating: Self.dot, count: text.count))
    let selection = TextSelection(
      anchor: Self.position(of: hidden.selection.anchor, in: text),
      head: Self.position(of: hidden.selection.head, in: text))
    if selection != state.selection { state.select(selection) }
  }

  /// Updates the visible part of the dots.
  mutating func update(_ scroll: inout TextScroll, size: Size) {
    scroll.update(&state, size: size, wraps: false)
  }

  mutating func position(at point: Point, in scroll: TextScroll, of hidden: EditingState)
    -> TextPosition
  {
    let dots = scroll.position(at: point, in: &state).offset / Self.dot.utf8.count
    return TextPosition(line: 0, offset: hidden.document.text.prefix(dots).utf8.count)
  }

  /// Returns the position among the dots of a position in the hidden text.
  private static func position(of hidden: TextPosition, in text: String) -> TextPosition {
    let characters = text.prefix(upTo: text.utf8.index(text.startIndex, offsetBy: hidden.offset))
    return TextPosition(line: 0, offset: characters.count * dot.utf8.count)
  }
}

extension Command {
  /// The command in a secure text, which treats the whole text as one word; nil if the command is
  /// not possible there.
  var inSecureText: Command? {
    switch self {
    case .move(let movement): .move(movement.inSecureText)
    case .extend(let movement): .extend(movement.inSecureText)
    case .delete(let movement): .delete(movement.inSecureText)
    case .cut, .copy: nil
    case .insertNewline, .insertTab, .insertBacktab, .cancel, .complete, .selectAll, .undo, .redo,
      .moveLinesUp, .moveLinesDown,
      .paste, .quit:
      self
    }
  }
}

extension Movement {
  fileprivate var inSecureText: Movement {
    switch self {
    case .wordLeft: .lineStart
    case .wordRight: .lineEnd
    case .left, .right, .up, .down, .lineStart, .lineEnd, .pageUp, .pageDown, .start, .end: self
    }
  }
}
