/// The text of a ``TextView`` with its selection, its scroll offset and its undo history.
///
/// Keep it when the view shows another text, and set it to continue later:
///
///     let session = editor.session
///     editor.session = TextSession(TextDocument("another text"))
///     editor.session = session
public struct TextSession: Sendable {
  let state: EditingState

  /// Creates the session of a document without an undo history, with the caret at its start.
  public init(_ document: TextDocument) { state = EditingState(document) }

  init(state: EditingState) { self.state = state }

  /// The selection, with the caret at its moving end.
  public var selection: TextSelection { state.selection }
}

extension TextView {
  /// The text with its selection, its scroll offset and its undo history. Setting it does not
  /// scroll to the caret.
  public var session: TextSession {
    get { TextSession(state: state) }
    set { adopt(newValue) }
  }
}
