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
  private(set) var revision = 0

  /// Creates the state for a text, with the caret at its start.
  package init(_ text: String = "", isSingleLine: Bool = false) {
    self.isSingleLine = isSingleLine
    document = TextDocument(fitting(text))
  }

  /// Creates the state for a document, with the caret at its start.
  package init(_ document: TextDocument) {
    isSingleLine = false
    self.document = document
  }

  // MARK: - Changes by the program

  /// Replaces the text and clears the undo history. The selection is kept where possible. Returns
  /// nil if the text is the same.
  @discardableResult
  package mutating func replaceText(with text: String) -> TextEdit? {
    guard let change = document.change(to: fitting(text)) else { return nil }
    history = EditHistory()
    return makeOutside(change)
  }

  /// Makes edits of the program, each of which refers to the text after the one before it. The user
  /// undoes them together, unless `areUndoable` is false: then nothing can be undone. The selection and
  /// the scroll offset move along with their text.
  ///
  /// Returns the edits that were made. The first one that does not fit the text ends them.
  package mutating func apply(
    outside edits: [TextEdit], areUndoable: Bool = true
  ) -> [TextEdit] {
    var made: [TextEdit] = []
    // Filling a text that the program has emptied is undone together with the emptying: a file is empty for a moment
    // while some programs replace it.
    let wasEmptied = document.utf8Count == 0 && history.undo?.isOutside == true
    for edit in edits {
      guard document.accepts(edit) else { break }
      let change = TextChange(edit.range, fitting(edit.new))
      if edit.old.utf8.elementsEqual(change.replacement.utf8) { continue }
      let before = selection
      let done = makeOutside(change)
      history.record(
        outside: EditHistory.Step(
          change: done.inverse.change, before: before, after: selection, isOutside: true,
          joinsFormer: wasEmptied || !made.isEmpty))
      made.append(done)
    }
    if !areUndoable && !made.isEmpty { clearUndoHistory() }
    return made
  }

  private mutating func makeOutside(_ change: TextChange) -> TextEdit {
    let moved = moved(selection, by: change)
    let edit = make(change, .outside)
    selection = moved.map(document.clamped)
    return edit
  }

  /// Returns the selection after a change, with the same text. A caret at the start of a line stays
  /// with its line if lines are inserted before it, and no inserted line is selected.
  private func moved(_ selection: TextSelection, by change: TextChange) -> TextSelection {
    guard let line = line(after: change) else { return selection.map { $0.moved(by: change) } }
    let start = TextPosition(line: line, offset: 0)
    let added = change.end.line - change.range.lowerBound.line
    let isSelected = selection.range.lowerBound < start
    return selection.map { position in
      if position != start { return position.moved(by: change) }
      return isSelected ? start : TextPosition(line: line + added, offset: 0)
    }
  }

  /// Returns the line before which a change inserts lines; nil if it does not only insert lines.
  private func line(after change: TextChange) -> Int? {
    let place = change.range.lowerBound
    let new = change.replacement.utf8
    guard change.range.isEmpty, !new.isEmpty, !document.isEmpty else { return nil }
    if place.offset == 0 && new.last == .newline { return place.line }
    let isAtEnd = place == document.end(ofLine: place.line) && place.line + 1 < document.lineCount
    return isAtEnd && new.first == .newline ? place.line + 1 : nil
  }

  package mutating func clearUndoHistory() { history = EditHistory() }

  /// Edits that were proposed before can no longer be applied.
  package mutating func adopt(_ other: EditingState) {
    let next = max(revision, other.revision) + 1
    self = other
    revision = next
  }

  /// True if the command that was performed last continues with another step.
  func continues(_ command: Command) -> Bool {
    command == .undo ? history.continuesUndo : history.continuesRedo
  }

  /// Lets the last two edits be undone together.
  mutating func joinLastEdits() { history.joinLastSteps() }

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
  package func edit(inserting text: String, as kind: EditProposal.Kind = .other) -> EditProposal? {
    edit(replacing: selection.range, with: text, as: kind)
  }

  /// Returns the edit that replaces a range with a text; nil if it would change nothing.
  package func edit(
    replacing range: Range<TextPosition>, with text: String, as kind: EditProposal.Kind = .other
  ) -> EditProposal? {
    let range = document.clamped(range.lowerBound)..<document.clamped(range.upperBound)
    let change = TextChange(range, fitting(text))
    return change.isEmpty ? nil : EditProposal(change: change, kind: kind, revision: revision)
  }

  /// Returns the edit of a command; nil if the command does not change the text.
  package mutating func edit(for command: Command) -> EditProposal? {
    switch command {
    case .insertNewline: isSingleLine ? nil : edit(inserting: "\n", as: .typing)
    case .insertTab: isSingleLine ? nil : edit(inserting: "\t", as: .typing)
    case .delete(let movement): edit(deleting: movement)
    case .cut: edit(inserting: "")
    case .undo:
      history.undo.map { EditProposal(change: $0.change, kind: .undo, revision: revision) }
    case .redo:
      history.redo.map { EditProposal(change: $0.change, kind: .redo, revision: revision) }
    case .insertBacktab, .cancel, .complete, .move, .extend, .moveLinesUp, .moveLinesDown,
      .selectAll, .copy, .paste, .quit:
      nil
    }
  }

  private mutating func edit(deleting movement: Movement) -> EditProposal? {
    guard selection.isEmpty else { return edit(inserting: "") }
    let target = destination(ofDeleting: movement)
    let range = min(selection.head, target)..<max(selection.head, target)
    let isSmall = movement == .left || movement == .right
    return edit(replacing: range, with: "", as: isSmall ? .deleting : .other)
  }

  // MARK: - Changes

  /// Returns nil, and does nothing, if the text has changed since the proposal.
  @discardableResult
  package mutating func apply(_ edit: EditProposal) -> TextEdit? {
    guard edit.revision == revision else { return nil }
    let before = selection
    let (undo, redo) = (history.undo, history.redo)
    let made = make(edit.change, edit.kind.origin)
    let inverse = made.inverse.change
    // The inserted text may have combined with the character after it.
    let end = inverse.range.upperBound
    let line = document[line: end.line]
    selection = TextSelection(
      caret: TextPosition(line: end.line, offset: line.characterStart(atOrAfter: end.offset)))
    switch edit.kind {
    case .undo:
      history.didUndo(inverse)
      if let undo, undo.restores(undo.before, in: inverse.range) { selection = undo.before }
    case .redo:
      history.didRedo(inverse)
      if let redo, redo.restores(redo.after, in: inverse.range) { selection = redo.after }
    case .typing, .deleting, .other:
      history.record(
        edit, EditHistory.Step(change: inverse, before: before, after: selection))
    }
    return made
  }

  private mutating func make(_ change: TextChange, _ origin: TextEdit.Origin) -> TextEdit {
    revision += 1
    goalColumn = nil
    layout.update(after: change)
    top = top.moved(by: change)
    return document.change(change, origin: origin)
  }

  /// Returns a text as it can be inserted: with spaces for line breaks in a single line.
  private func fitting(_ text: String) -> String {
    guard isSingleLine, text.contains(where: \.isNewline) else { return text }
    return String(text.map { $0.isNewline ? " " : $0 })
  }
}
