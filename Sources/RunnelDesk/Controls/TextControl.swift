import RunnelStreams

/// A control with text that a person edits: what those of one line and those of several have in common.
///
/// What a person does to the text is an edit, of which the delegate is asked before it is made and told
/// afterwards. Then those are told who observe the control.
@MainActor
protocol TextControl: View {
  var state: EditingState { get set }
  var signals: TextSignals { get }
  var isEditable: Bool { get }
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

extension TextControl {
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
    guard let edit, isEditable, shouldChangeText(in: edit.range, with: edit.replacement) else {
      return false
    }
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

  /// Puts a text in the place of what is selected.
  @discardableResult
  func replaceSelection(with text: String) -> Bool {
    // One at a time comes from a keyboard.
    let isTyped = text.unicodeScalars.count == 1
    return make(state.edit(inserting: text, as: isTyped ? .typing : .other))
  }

  /// Changes the selection, and not the text.
  func changeSelection(_ change: (inout EditingState) -> Void) {
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
    case .insertBacktab, .cancel, .complete: return false
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
    changeSelection { $0.select(drag.selection(to: position, in: $0.document)) }
  }
}
