import RunnelProxies

/// A delegate that can refuse the user's edits of a ``TextView``, and is notified of them.
///
/// It is not notified of changes by the program.
@Proxied
@MainActor
public protocol TextViewDelegate: AnyObject {
  /// Returns true if the view may get the focus.
  @Default(true) func textViewShouldBeginEditing(_ view: TextView) -> Bool
  /// Called after the view got the focus.
  @Default func textViewDidBeginEditing(_ view: TextView)
  /// Returns true if a range of text may be replaced.
  @Default(true) func textView(
    _ view: TextView, shouldChangeTextIn range: Range<TextPosition>, with replacement: String
  ) -> Bool
  /// Called after the user has changed the text.
  @Default func textView(_ view: TextView, didChangeText edit: TextEdit)
  /// Called after the user has changed the selection or moved the caret.
  @Default func textViewDidChangeSelection(_ view: TextView)
  /// Returns true if the view may lose the focus.
  @Default(true) func textViewShouldEndEditing(_ view: TextView) -> Bool
  /// Called after the view lost the focus.
  @Default func textViewDidEndEditing(_ view: TextView)
  /// Handles the command of a key. Return true if the command was handled; the view then ignores
  /// it.
  @Default(false) func textView(_ view: TextView, doCommand command: Command) -> Bool
  /// Handles a press of the left button of the mouse. Return true if it was handled; the view then
  /// ignores it. An app uses this to open a link that the user clicks while holding Ctrl.
  @Default(false) func textView(
    _ view: TextView, didPressAt position: TextPosition, with modifiers: Modifiers
  ) -> Bool
}
