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

/// The sessions of the texts that the user has edited last, by the names of the texts.
///
///     var sessions = TextSessions<String>()
///     sessions["Milk"] = editor.session
///     editor.session = sessions["Tea"] ?? TextSession(TextDocument("Tea"))
///
/// Each session retains its text, so the oldest ones are forgotten.
public struct TextSessions<Name: Equatable> {
  private var sessions: [(name: Name, session: TextSession)] = []
  private let limit: Int

  /// Creates an empty collection, which forgets the oldest sessions beyond a limit.
  public init(limit: Int = 50) { self.limit = limit }

  /// The session of a text; nil if there is none. A session that is set becomes the newest one.
  public subscript(name: Name) -> TextSession? {
    get { sessions.last { $0.name == name }?.session }
    set {
      sessions.removeAll { $0.name == name }
      if let newValue { sessions.append((name, newValue)) }
      sessions.removeFirst(max(sessions.count - limit, 0))
    }
  }

  /// Gives the session of a text another name. A session that has that name already is forgotten.
  public mutating func rename(_ old: Name, to new: Name) {
    if old == new { return }
    self[new] = nil
    sessions = sessions.map { ($0.name == old ? new : $0.name, $0.session) }
  }
}

extension TextView {
  /// The text with its selection, its scroll offset and its undo history. Setting it does not
  /// scroll to the caret.
  public var session: TextSession {
    get { TextSession(state: state) }
    set { adopt(newValue) }
  }
}
