import RunnelProxies

/// What is told and asked when a person edits the text of a ``TextField``.
///
/// What the program does to the text is neither asked nor told.
@Proxied
@MainActor
public protocol TextFieldDelegate: AnyObject {
  /// Whether it may get the focus.
  @Default(true) func textFieldShouldBeginEditing(_ field: TextField) -> Bool
  /// It has got the focus.
  @Default func textFieldDidBeginEditing(_ field: TextField)
  /// Whether a text may come in the place of another one.
  @Default(true) func textField(
    _ field: TextField, shouldChangeTextIn range: Range<TextPosition>, with replacement: String
  ) -> Bool
  /// The text has changed.
  @Default func textFieldDidChangeText(_ field: TextField)
  /// Something else is selected, or the caret is elsewhere.
  @Default func textFieldDidChangeSelection(_ field: TextField)
  /// Whether it may lose the focus.
  @Default(true) func textFieldShouldEndEditing(_ field: TextField) -> Bool
  /// It has lost the focus.
  @Default func textFieldDidEndEditing(_ field: TextField)
  /// A key means a command. Who returns true has done it, and the field does nothing. This is where a
  /// search field lets the arrow keys walk the list below.
  @Default(false) func textField(_ field: TextField, doCommand command: Command) -> Bool
  /// What a text that was typed may be the beginning of, if anything.
  @Default(String?.none) func textField(
    _ field: TextField, completionFor text: String
  ) -> String?
  /// Return was pressed.
  @Default func textFieldDidSubmit(_ field: TextField)
}
