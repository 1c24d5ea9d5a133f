/// A change of a text that the user proposes and that can be refused.
package struct EditProposal: Hashable, Sendable {
  /// The kind of an edit. Consecutive small edits of one kind are undone together.
  package enum Kind: Hashable, Sendable {
    /// Typing a character.
    case typing
    /// Deleting a character.
    case deleting
    /// An edit that is undone separately, such as pasting, cutting, or deleting a word.
    case other
    case undo
    case redo

    var origin: TextEdit.Origin {
      switch self {
      case .typing, .deleting, .other: .typed
      case .undo, .redo: .undo
      }
    }
  }

  var change: TextChange
  var kind: Kind
  /// The revision of the text that the edit refers to.
  var revision: Int

  package var range: Range<TextPosition> { change.range }
  package var replacement: String { change.replacement }
}
