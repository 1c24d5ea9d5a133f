/// Where a caret goes in a text, or a selection in a list.
///
/// Each control takes those that mean something to it: a list knows of no words.
public enum Movement: Hashable, Sendable, CaseIterable {
  /// One character to the left.
  case left
  /// One character to the right.
  case right
  /// To the beginning of this word, or of the one before.
  case wordLeft
  /// To the end of this word, or of the one behind.
  case wordRight
  /// One row up.
  case up
  /// One row down.
  case down
  /// To the beginning of the line.
  case lineStart
  /// To the end of the line.
  case lineEnd
  /// As many rows up as can be seen.
  case pageUp
  /// As many rows down as can be seen.
  case pageDown
  /// To the very beginning.
  case start
  /// To the very end.
  case end
}
