import RunnelProxies

/// What is told and asked when a person edits the text of a ``TextView``.
///
/// What the program does to the text is neither asked nor told.
@Proxied
@MainActor
public protocol TextViewDelegate: AnyObject {
  /// Whether it may get the focus.
  @Default(true) func textViewShouldBeginEditing(_ view: TextView) -> Bool
  /// It has got the focus.
  @Default func textViewDidBeginEditing(_ view: TextView)
  /// Whether a text may come in the place of another one.
  @Default(true) func textView(
    _ view: TextView, shouldChangeTextIn range: Range<TextPosition>, with replacement: String
  ) -> Bool
  /// The text has changed.
  @Default func textViewDidChangeText(_ view: TextView)
  /// Something else is selected, or the caret is elsewhere.
  @Default func textViewDidChangeSelection(_ view: TextView)
  /// Whether it may lose the focus.
  @Default(true) func textViewShouldEndEditing(_ view: TextView) -> Bool
  /// It has lost the focus.
  @Default func textViewDidEndEditing(_ view: TextView)
  /// A key means a command. Who returns true has done it, and the view does nothing.
  @Default(false) func textView(_ view: TextView, doCommand command: Command) -> Bool
}
