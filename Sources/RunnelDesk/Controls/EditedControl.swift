import RunnelStreams

/// A control with editable text: the behavior shared by ``TextField`` and ``TextView``.
///
/// Each change of the text by the user is an edit. The delegate is asked before the edit is made
/// and is notified afterwards.
@MainActor
protocol EditedControl: TextControl {
  var state: EditingState { get set }
  var drag: TextDrag? { get set }
  /// The text and selection on the screen, which differ from ``state`` if the text is secret.
  var shownState: EditingState { get }

  /// Asks the delegate whether a range of text may be replaced.
  func shouldChangeText(in range: Range<TextPosition>, with replacement: String) -> Bool
  /// Called after each change of the text, before the delegate is notified. `edit` is nil if the view
  /// shows another text.
  func textWasEdited(_ edit: TextEdit?)
  /// Notifies the delegate that the user has changed the text.
  func didChangeText(_ edit: TextEdit)
  /// Notifies the delegate that the selection has changed.
  func didChangeSelection()

  /// Called after an edit was made and reported.
  func didMake(_ edit: EditProposal)

  /// Returns the position of the text at a point, which may be outside of the control.
  func position(at point: Point) -> TextPosition
  /// Redraws the control, with the caret visible.
  func revealCaret()
}

extension EditedControl {
  var shownState: EditingState { state }

  // MARK: - Changes by the program

  /// Sets the text, without asking or notifying the delegate. Returns true if the text has changed.
  @discardableResult
  func setText(_ text: String) -> Bool {
    guard let edit = state.replaceText(with: text) else { return false }
    textWasEdited(edit)
    needsDisplay()
    return true
  }

  /// Makes edits of the program. The user can undo them if the control is editable.
  @discardableResult
  func make(outside edits: [TextEdit]) -> [TextEdit] {
    let made = state.apply(outside: edits, areUndoable: isEditable)
    for edit in made {
      drag?.move(by: edit.change)
      textWasEdited(edit)
    }
    if !made.isEmpty { needsDisplay() }
    return made
  }

  func setSelection(_ selection: TextSelection) {
    state.select(selection)
    revealCaret()
  }

  // MARK: - Changes by the user

  /// Makes an edit, if there is one and the delegate agrees. Returns true if it was made.
  @discardableResult
  func make(_ edit: EditProposal?) -> Bool {
    guard let edit, isAvailable, isEditable,
      shouldChangeText(in: edit.range, with: edit.replacement)
    else { return false }
    // The delegate may have changed the text.
    let selection = state.selection
    guard let made = state.apply(edit) else { return false }
    textWasEdited(made)
    revealCaret()
    scrollToVisible()
    let isMoved = state.selection != selection
    didChangeText(made)
    if isMoved { didChangeSelection() }
    didMake(edit)
    return true
  }

  /// Replaces a range of text. A single character counts as typed or deleted with a key.
  func make(replacing range: Range<TextPosition>, with text: String) -> Bool {
    let isTyped = text.unicodeScalars.count == 1
    let isDeleted = text.isEmpty && document.isCharacter(range)
    let kind: EditProposal.Kind = isTyped ? .typing : isDeleted ? .deleting : .other
    return canBeUsed && make(state.edit(replacing: range, with: text, as: kind))
  }

  /// Changes the selection, as the user does. Returns true if it is current afterwards.
  @discardableResult
  func change(to selection: TextSelection) -> Bool {
    guard canBeUsed else { return false }
    changeSelection { $0.select(selection) }
    return self.selection == selection
  }

  /// Changes the selection without changing the text.
  func changeSelection(_ change: (inout EditingState) -> Void) {
    guard isAvailable else { return }
    let before = state.selection
    change(&state)
    revealCaret()
    scrollToVisible()
    if state.selection != before { didChangeSelection() }
  }

  /// Performs a command that concerns text. Returns true if it was handled.
  func edit(by command: Command) -> Bool {
    switch command {
    case .move, .extend, .selectAll:
      changeSelection { _ = $0.perform(command) }
      return true
    case .delete:
      make(state.edit(for: command))
      return isEditable
    case .insertNewline, .insertTab:
      guard isEditable, let edit = state.edit(for: command) else { return false }
      make(edit)
      return true
    case .undo, .redo:
      guard isEditable, let edit = state.edit(for: command) else { return false }
      guard make(edit) else { return true }
      // Edits that the program has made together are undone together, unless a delegate has changed
      // the text since.
      var revision = edit.revision + 1
      while state.revision == revision, state.continues(command), make(state.edit(for: command)) {
        revision += 1
      }
      return true
    case .copy: return copySelection()
    case .cut:
      // Text that may not be deleted is not copied either.
      let text = selectedText
      guard isEditable && !text.isEmpty else { return false }
      if make(state.edit(for: .cut)) { clipboard = text }
      return true
    case .paste:
      if isEditable { make(state.edit(inserting: clipboard.withLineFeeds)) }
      return isEditable
    case .insertBacktab, .moveLinesUp, .moveLinesDown, .cancel, .complete, .quit: return false
    }
  }

  private func copySelection() -> Bool {
    let text = selectedText
    if !text.isEmpty { clipboard = text }
    return !text.isEmpty
  }

  private var selectedText: String { state.document[state.selection.range] }

  private var clipboard: String {
    get { window?.application?.backend.clipboard ?? "" }
    set { window?.application?.backend.clipboard = newValue }
  }

  // MARK: - Mouse

  /// Selects text with the left mouse button. Returns true if the event was handled.
  func select(with event: MouseEvent, clicks: Int) -> Bool {
    switch event.action {
    case .press(.left):
      let position = position(at: event.position)
      let extends = event.modifiers.contains(.shift)
      let drag =
        extends
        ? TextDrag(1, at: state.selection.anchor, in: state.document)
        : TextDrag(clicks, at: position, in: state.document)
      self.drag = drag
      select(drag, to: position)
    case .drag(.left):
      guard let drag else { return false }
      select(drag, to: position(at: event.position))
    case .release(.left): drag = nil
    case .press, .drag, .release, .move, .wheel: return false
    }
    return true
  }

  private func select(_ drag: TextDrag, to position: TextPosition) {
    propose(selection: drag.selection(to: position, in: document))
  }
}

extension EditedControl {
  /// Returns the cell of the caret in the control; nil if its row is not visible.
  func caretCell(_ scroll: TextScroll) -> Point? {
    var shown = shownState
    let head = shown.selection.head
    let row = shown.layout.row(at: head, of: shown.document)
    guard let y = scroll.rows.firstIndex(of: row) else { return nil }
    return Point(x: shown.layout.column(of: head, in: shown.document) - scroll.left, y: y)
  }
}

extension TextDocument {
  fileprivate func isCharacter(_ range: Range<TextPosition>) -> Bool {
    position(after: clamped(range.lowerBound)) == range.upperBound
  }
}
