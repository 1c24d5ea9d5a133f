/// An event from the user or from the screen.
public enum InputEvent: Hashable, Sendable {
  /// A key was pressed, or repeats because it is held.
  case key(KeyPress)
  /// Several keys that type characters were read together, for example fast typing or an unmarked
  /// paste. The effect is the same as if each key was sent alone. The text has no control characters.
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
