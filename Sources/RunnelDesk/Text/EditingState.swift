/// The state of an editor: the text, the selection, and the undo history.
///
/// A change is proposed first, so that it can be refused: ``edit(for:)`` returns the edit of a
/// command, and ``apply(_:)`` makes it.
package struct EditingState {
  package private(set) var document = TextDocument()
  /// Both ends are boundaries of characters.
  package private(set) var selection = TextSelection.start
  /// The rows that the text takes.
  package var layout = TextLayout()
  /// The position at the top of the screen. It moves along with its text.
  package var top = TextPosition.start
  /// The number of rows that a page key moves the caret.
  package var pageRows = 1
  /// When true, inserted line breaks become spaces.
  package let isSingleLine: Bool

  /// The column that vertical movements keep, even across shorter rows.
  var goalColumn: Int?
  private var history = EditHistory()
  /// The number of changes of the text.
  private var revision = 0

  /// Creates the state for a text, with the caret at its start.
  package init(_ text: String = "", isSingleLine: Bool = false) {
    self.isSingleLine = isSingleLine
    document = TextDocument(fitting(text))
  }

  // MARK: - Changes by the program

  /// Replaces the text and clears the undo history. The selection is kept where possible. Returns
  /// false if the text is the same.
  @discardableResult
  package mutating func replaceText(with text: String) -> Bool {
    guard let change = document.change(to: fitting(text)) else { return false }
    history = EditHistory()
    let selection = selection.map { $0.moved(by: change) }
    _ = make(change)
    self.selection = selection.map(document.clamped)
    return true
  }

  package mutating func clearUndoHistory() { history = EditHistory() }

  /// Edits that were proposed before can no longer be applied.
  package mutating func adopt(_ other: EditingState) {
    let next = max(revision, other.revision) + 1
    self = other
    revision = next
  }

  package var canUndo: Bool { history.undo != nil }
  package var canRedo: Bool { history.redo != nil }

  /// Ends within a character move to the start of the character.
  package mutating func select(_ selection: TextSelection) {
    self.selection = selection.map(document.clamped)
    goalColumn = nil
    history.close()
  }

  // MARK: - Proposals

  /// Returns the edit that replaces the selection with a text; nil if it would change nothing.
  package func edit(inserting text: String, as kind: TextEdit.Kind = .other) -> TextEdit? {
    edit(replacing: selection.range, with: text, as: kind)
  }

  /// Returns the edit that replaces a range with a text; nil if it would change nothing.
  package func edit(
    replacing range: Range<TextPosition>, with text: String, as kind: TextEdit.Kind = .other
  ) -> TextEdit? {
    let range = document.clamped(range.lowerBound)..<document.clamped(range.upperBound)
    let change = TextChange(range, fitting(text))
    return change.isEmpty ? nil : TextEdit(change: change, kind: kind, revision: revision)
  }

  /// Returns the edit of a command; nil if the command does not change the text.
  package mutating func edit(for command: Command) -> TextEdit? {
    switch command {
    case .insertNewline: isSingleLine ? nil : edit(inserting: "\n", as: .typing)
    case .insertTab: isSingleLine ? nil : edit(inserting: "\t", as: .typing)
    case .delete(let movement): edit(deleting: movement)
    case .cut: edit(inserting: "")
    case .undo: history.undo.map { TextEdit(change: $0.change, kind: .undo, revision: revision) }
    case .redo: history.redo.map { TextEdit(change: $0.change, kind: .redo, revision: revision) }
    case .insertBacktab, .cancel, .complete, .move, .extend, .selectAll, .copy, .paste, .quit:
      nil
    }
  }

  private mutating func edit(deleting movement: Movement) -> TextEdit? {
    guard selection.isEmpty else { return edit(inserting: "") }
    let target = destination(ofDeleting: movement)
    let range = min(selection.head, target)..<max(selection.head, target)
    let isSmall = movement == .left || movement == .right
    return edit(replacing: range, with: "", as: isSmall ? .deleting : .other)
  }

  // MARK: - Changes

  /// Returns false, and does nothing, if the text has changed since the proposal.
  @discardableResult
  package mutating func apply(_ edit: TextEdit) -> Bool {
    guard edit.revision == revision else { return false }
    let before = selection
    let (undo, redo) = (history.undo, history.redo)
    let inverse = make(edit.change)
    // The inserted text may have combined with the character after it.
    let end = inverse.range.upperBound
    let line = document[line: end.line]
    selection = TextSelection(
      caret: TextPosition(line: end.line, offset: line.characterStart(atOrAfter: end.offset)))
    switch edit.kind {
    case .undo:
      history.didUndo(inverse)
      if let undo { selection = undo.before }
    case .redo:
      history.didRedo(inverse)
      if let redo { selection = redo.after }
    case .typing, .deleting, .other:
      history.record(
        edit, EditHistory.Step(change: inverse, before: before, after: selection))
    }
    return true
  }

  private mutating func make(_ change: TextChange) -> TextChange {
    revision += 1
    goalColumn = nil
    layout.update(after: change)
    top = top.moved(by: change)
    return document.change(change)
  }

  /// Returns a text as it can be inserted: with spaces for line breaks in a single line.
  private func fitting(_ text: String) -> String {
    guard isSingleLine, text.contains(where: \.isNewline) else { return text }
    return String(text.map { $0.isNewline ? " " : $0 })
  }
}
