import RunnelProxies

/// A delegate that can refuse the user's edits of a ``TextField``, and is notified of them.
///
/// It is not notified of changes by the program.
@Proxied
@MainActor
public protocol TextFieldDelegate: AnyObject {
  /// Returns true if the field may get the focus.
  @Default(true) func textFieldShouldBeginEditing(_ field: TextField) -> Bool
  /// Called after the field got the focus.
  @Default func textFieldDidBeginEditing(_ field: TextField)
  /// Returns true if a range of text may be replaced.
  @Default(true) func textField(
    _ field: TextField, shouldChangeTextIn range: Range<TextPosition>, with replacement: String
  ) -> Bool
  /// Called after the user has changed the text.
  @Default func textField(_ field: TextField, didChangeText edit: TextEdit)
  /// Called after the user has changed the selection or moved the caret.
  @Default func textFieldDidChangeSelection(_ field: TextField)
  /// Returns true if the field may lose the focus.
  @Default(true) func textFieldShouldEndEditing(_ field: TextField) -> Bool
  /// Called after the field lost the focus.
  @Default func textFieldDidEndEditing(_ field: TextField)
  /// Handles the command of a key. Return true if the command was handled; the field then ignores
  /// it. A search field uses this to let the arrow keys move the selection of a list.
  @Default(false) func textField(_ field: TextField, doCommand command: Command) -> Bool
  /// Returns a completion of the typed text; nil if there is none.
  @Default(String?.none) func textField(
    _ field: TextField, completionFor text: String
  ) -> String?
  /// Called with the text when the user presses Return.
  @Default func textField(_ field: TextField, didSubmit text: String)
}
