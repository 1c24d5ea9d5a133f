/// A movement of the caret in text or of the selection in a list.
///
/// Controls ignore movements that do not apply to them: a list does not move by words.
public enum Movement: Hashable, Sendable, CaseIterable {
  /// One character to the left.
  case left
  /// One character to the right.
  case right
  /// To the beginning of the current word, or of the previous one.
  case wordLeft
  /// To the end of the current word, or of the next one.
  case wordRight
  /// One row up.
  case up
  /// One row down.
  case down
  /// To the beginning of the line.
  case lineStart
  /// To the end of the line.
  case lineEnd
  /// One page up.
  case pageUp
  /// One page down.
  case pageDown
  /// To the beginning of the document.
  case start
  /// To the end of the document.
  case end
}
