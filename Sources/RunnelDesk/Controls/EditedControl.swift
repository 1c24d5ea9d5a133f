import RunnelStreams

/// How a control with text is edited: what those of one line and those of several have in common.
///
/// What a person does to the text is an edit, of which the delegate is asked before it is made and told
/// afterwards. Then those are told who observe the control.
@MainActor
protocol EditedControl: TextControl {
  var state: EditingState { get set }
  var drag: TextDrag? { get set }

  /// Asks the delegate.
  func shouldChangeText(in range: Range<TextPosition>, with replacement: String) -> Bool
  /// Tells the delegate.
  func didChangeText()
  /// Tells the delegate.
  func didChangeSelection()

  /// An edit was made, and everybody told.
  func didMake(_ edit: TextEdit)

  /// The place in the text that a cell is for, which may be outside of the control.
  func position(at point: Point) -> TextPosition
  /// What looks different now is shown, the caret among it.
  func revealCaret()
}

extension EditedControl {
  // MARK: - By the program

  /// Sets another text. The program's changes are no edits: nobody is asked or told. Returns whether
  /// it is another one.
  @discardableResult
  func setText(_ text: String) -> Bool {
    let isOther = state.replaceText(with: text)
    if isOther { needsDisplay() }
    return isOther
  }

  func setSelection(_ selection: TextSelection) {
    state.select(selection)
    revealCaret()
  }

  // MARK: - By a person

  /// Makes an edit, if there is one, and the delegate agrees. Returns whether it was made.
  @discardableResult
  func make(_ edit: TextEdit?) -> Bool {
    guard let edit, isAvailable, isEditable,
      shouldChangeText(in: edit.range, with: edit.replacement)
    else { return false }
    // Who was asked may have changed the text.
    let selection = state.selection
    guard state.apply(edit) else { return false }
    revealCaret()
    let isMoved = state.selection != selection
    didChangeText()
    signals.text.next(())
    if isMoved { tellSelection() }
    didMake(edit)
    return true
  }

  /// Puts a text in the place of a range. One character at a time is typed or deleted with a key.
  func make(replacing range: Range<TextPosition>, with text: String) -> Bool {
    let isTyped = text.unicodeScalars.count == 1
    let isDeleted = text.isEmpty && document.isCharacter(range)
    let kind: TextEdit.Kind = isTyped ? .typing : isDeleted ? .deleting : .other
    return canBeUsed && make(state.edit(replacing: range, with: text, as: kind))
  }

  /// Selects something.
  @discardableResult
  func change(to selection: TextSelection) -> Bool {
    guard canBeUsed else { return false }
    changeSelection { $0.select(selection) }
    return self.selection == selection
  }

  /// Changes the selection, and not the text.
  func changeSelection(_ change: (inout EditingState) -> Void) {
    guard isAvailable else { return }
    let before = state.selection
    change(&state)
    revealCaret()
    if state.selection != before { tellSelection() }
  }

  private func tellSelection() {
    didChangeSelection()
    signals.selection.next(())
  }

  /// Does what a command says, where that is about text. Returns whether it is, and could be done.
  func edit(by command: Command) -> Bool {
    switch command {
    case .move, .extend, .selectAll:
      changeSelection { _ = $0.perform(command) }
      return true
    case .delete:
      make(state.edit(for: command))
      return isEditable
    case .insertNewline, .insertTab, .undo, .redo:
      guard isEditable, let edit = state.edit(for: command) else { return false }
      make(edit)
      return true
    case .copy: return copySelection()
    case .cut:
      // What may not be deleted is not cut.
      let text = selectedText
      guard isEditable && !text.isEmpty else { return false }
      if make(state.edit(for: .cut)) { clipboard = text }
      return true
    case .paste:
      if isEditable { make(state.edit(inserting: clipboard)) }
      return isEditable
    case .insertBacktab, .cancel, .complete, .quit: return false
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

  /// Selects with the left button. Returns whether that is what was done with the mouse.
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

extension TextDocument {
  /// Whether a range is that of one character.
  fileprivate func isCharacter(_ range: Range<TextPosition>) -> Bool {
    position(after: clamped(range.lowerBound)) == range.upperBound
  }
}
