/// A change that a person wants to make to a text, which may be refused.
package struct TextEdit: Hashable, Sendable {
  /// What a person does; small steps of one kind, one beside the other, are undone together.
  package enum Kind: Hashable, Sendable {
    /// Typing, character by character.
    case typing
    /// Deleting, character by character.
    case deleting
    /// Something that is undone by itself: pasting, cutting, deleting a word.
    case other
    /// Taking the last change back.
    case undo
    /// Making it again.
    case redo
  }

  var change: TextChange
  var kind: Kind
  /// Of which state of the text it speaks.
  var revision: Int

  /// What is replaced.
  package var range: Range<TextPosition> { change.range }
  /// What comes in its place.
  package var replacement: String { change.replacement }
}
