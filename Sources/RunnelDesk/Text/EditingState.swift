/// A text that is being edited: the text, what is selected, and what can be undone.
///
/// A change is proposed first, so that somebody may refuse it: ``edit(for:)`` says what a command would
/// change, and ``apply(_:)`` changes it.
package struct EditingState {
  /// The text.
  package private(set) var document = TextDocument()
  /// What is selected; both ends are places between two characters of the text.
  package private(set) var selection = TextSelection.start
  /// The rows that the text takes.
  package var layout = TextLayout()
  /// What is shown first on a screen: it goes with the text that it stands beside.
  package var top = TextPosition.start
  /// How far the page keys go.
  package var pageRows = 1
  /// Whether there is but one line. Line breaks that are inserted become spaces.
  package let isSingleLine: Bool

  /// The column that going up and down keeps to, through rows that are shorter.
  var goalColumn: Int?
  private var history = EditHistory()
  /// Counts the changes of the text.
  private var revision = 0

  /// Editing of a text, with the caret at its beginning.
  package init(_ text: String = "", isSingleLine: Bool = false) {
    self.isSingleLine = isSingleLine
    document = TextDocument(fitting(text))
  }

  // MARK: - By the program

  /// Puts another text in the place of this one. What is selected stays where it can. The changes
  /// before cannot be undone any more.
  ///
  /// Returns false if it is the same text.
  @discardableResult
  package mutating func replaceText(with text: String) -> Bool {
    guard let change = document.change(to: fitting(text)) else { return false }
    history = EditHistory()
    let selection = selection.map { $0.moved(by: change) }
    _ = make(change)
    self.selection = selection.map(document.clamped)
    return true
  }

  /// Forgets the changes: they cannot be undone or redone any more.
  package mutating func clearUndoHistory() { history = EditHistory() }

  /// Selects something. Ends that are no places between two characters count as the nearest before.
  package mutating func select(_ selection: TextSelection) {
    self.selection = selection.map(document.clamped)
    goalColumn = nil
    history.close()
  }

  // MARK: - Proposals

  /// What would change if a text were put in the place of what is selected; nil if nothing would.
  package func edit(inserting text: String, as kind: TextEdit.Kind = .other) -> TextEdit? {
    edit(replacing: selection.range, with: text, as: kind)
  }

  /// What would change if a text were put in the place of a range; nil if nothing would.
  package func edit(
    replacing range: Range<TextPosition>, with text: String, as kind: TextEdit.Kind = .other
  ) -> TextEdit? {
    let range = document.clamped(range.lowerBound)..<document.clamped(range.upperBound)
    let change = TextChange(range, fitting(text))
    return change.isEmpty ? nil : TextEdit(change: change, kind: kind, revision: revision)
  }

  /// What a command would change; nil if it changes nothing.
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

  /// Makes a change that was proposed. Returns false, and does nothing, if the text has changed since.
  @discardableResult
  package mutating func apply(_ edit: TextEdit) -> Bool {
    guard edit.revision == revision else { return false }
    let before = selection
    let (undo, redo) = (history.undo, history.redo)
    let inverse = make(edit.change)
    // What was inserted may have joined what is behind it.
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

  /// Text as it may stand here.
  private func fitting(_ text: String) -> String {
    guard isSingleLine, text.contains(where: \.isNewline) else { return text }
    return String(text.map { $0.isNewline ? " " : $0 })
  }
}
