import RunnelStreams

/// A control with text that the user edits: a ``TextField`` or a ``TextView``.
///
/// The program sets the text and the selection without asking or notifying the delegate. The user's
/// changes are proposed: by keys and the mouse, or by a backend with native controls.
///
///     if !nameField.propose(text: "Emma") { show(nameField.text) }
@MainActor
public protocol TextControl: View {
  /// The text.
  var text: String { get set }
  /// The text, line by line.
  var document: TextDocument { get }
  /// The selection, with the caret at its moving end.
  var selection: TextSelection { get set }
  /// True when the user can change the text.
  var isEditable: Bool { get set }
  /// Sends each change of the text by the user.
  var textEdits: EventStream<TextEdit, Never> { get }
  /// Sends an event after the user has changed the selection or moved the caret.
  var selectionChanges: EventStream<Void, Never> { get }
  /// Sends an event after it got the focus.
  var editingBeginnings: EventStream<Void, Never> { get }
  /// Sends an event after it lost the focus.
  var editingEnds: EventStream<Void, Never> { get }

  /// Replaces a range of text, as the user does: if the control is editable and the delegate
  /// agrees. The caret moves to the end of the new text. Returns true if the text was replaced.
  @discardableResult
  func propose(replacing range: Range<TextPosition>, with replacement: String) -> Bool

  /// Makes edits of the program, for example after the file of the text has changed. The delegate is
  /// neither asked nor notified. Each edit refers to the text after the edit before it. The caret, the
  /// selection and the scroll offset stay with their text. If the control is editable, the user can
  /// undo the edits together; otherwise the undo history is cleared.
  ///
  /// Returns the edits that were made. The first one that does not fit the text ends them.
  @discardableResult
  func apply(_ edits: [TextEdit]) -> [TextEdit]

  /// Changes the selection, as the user does. Returns true if it is current afterwards.
  @discardableResult
  func propose(selection: TextSelection) -> Bool
}

extension TextControl {
  /// Sends an event after the user has changed the text.
  public var textChanges: EventStream<Void, Never> { textEdits.map { _ in } }

  /// Changes the text to a document with as few edits as possible. See ``apply(_:)``. Returns the
  /// edits.
  ///
  ///     let saved = TextDocument("milk\nbread")
  ///     editor.update(to: saved)
  ///
  /// *Complexity*: constant if the control has this document or a copy of it, otherwise as
  /// ``TextDocument/edits(to:)``.
  @discardableResult
  public func update(to document: TextDocument) -> [TextEdit] {
    apply(self.document.edits(to: document))
  }

  /// Selects the whole text, so that typing replaces it.
  public func selectAll() { selection = TextSelection(document.bounds) }

  /// Replaces the text, as the user does, if the delegate agrees. Only the part that differs is
  /// replaced. Returns true if the control has this text afterwards.
  @discardableResult
  public func propose(text: String) -> Bool {
    guard let change = document.change(to: text) else { return true }
    propose(replacing: change.range, with: change.replacement)
    return self.text == text
  }
}
