/// An event from the user or from the screen.
public enum InputEvent: Hashable, Sendable {
  /// A key was pressed, or repeats because it is held.
  case key(KeyPress)
  /// Several keys were pressed at once, each of which types a character. A terminal sends it for text
  /// that is pasted without marks. It has the effect of these keys.
  case text(String)
  /// A mouse event.
  case mouse(MouseEvent)
  /// Text was pasted. Its lines end in "\n".
  case paste(String)
  /// The size of the screen changed.
  case resize(Size)
  /// The screen got (true) or lost (false) the keyboard focus.
  case focus(Bool)
}
