/// The meaning of a key press, such as "move left" or "undo", independent of the key.
///
/// ``KeyBindings`` map key presses to commands, and the first responder performs them. A control
/// asks its delegate first, which may handle the command itself. For example, the delegate of a
/// search field can let the arrow keys move the selection in the list below.
public enum Command: Hashable, Sendable {
  /// Insert a line break, or confirm: Return.
  case insertNewline
  /// Insert a tab, or move to the next view: Tab.
  case insertTab
  /// Move to the previous view: Shift+Tab.
  case insertBacktab
  /// Cancel, close or clear: Esc.
  case cancel
  /// Accept the proposed completion.
  case complete
  /// Move the caret and clear the selection.
  case move(Movement)
  /// Move the caret and extend the selection.
  case extend(Movement)
  /// Delete the selection; if it is empty, delete the text between the caret and the target.
  case delete(Movement)
  /// Move the selected lines, or the line of the caret, before the line above: Alt+Up.
  case moveLinesUp
  /// Move the selected lines, or the line of the caret, after the line below: Alt+Down.
  case moveLinesDown
  /// Select all.
  case selectAll
  /// Undo the last change.
  case undo
  /// Redo the change that was undone last.
  case redo
  /// Move the selection to the clipboard.
  case cut
  /// Copy the selection to the clipboard.
  case copy
  /// Insert the contents of the clipboard.
  case paste
  /// Quit the application.
  case quit
}
