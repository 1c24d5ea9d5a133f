/// What a key asks a control to do, by what it means and not by which key it is.
///
/// Keys become commands by a table, and who holds the focus is asked to do them; a control's
/// delegate is asked first, and may do something else instead. This is where a search field lets
/// the arrow keys walk the list below.
public enum Command: Hashable, Sendable {
  /// Begin a line, or confirm: Return.
  case insertNewline
  /// Insert a tab, or go to what comes next: Tab.
  case insertTab
  /// Go to what comes before: Tab with shift.
  case insertBacktab
  /// Leave it, close it, clear it: Esc.
  case cancel
  /// Take what is proposed.
  case complete
  /// Go there, and select nothing.
  case move(Movement)
  /// Go there, and select what lies between.
  case extend(Movement)
  /// Delete what is selected; if nothing is, what lies between here and there.
  case delete(Movement)
  /// Select all.
  case selectAll
  /// Take the last change back.
  case undo
  /// Make the change again that was taken back last.
  case redo
  /// Move what is selected to the clipboard.
  case cut
  /// Copy what is selected to the clipboard.
  case copy
  /// Insert what the clipboard has.
  case paste
  /// End the application.
  case quit
}
