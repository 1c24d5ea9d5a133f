/// What comes from a person, or from the screen that a person looks at.
public enum InputEvent: Hashable, Sendable {
  /// A key was pressed, or is held so long that it counts again.
  case key(KeyPress)
  /// Something was done with the mouse.
  case mouse(MouseEvent)
  /// A text was pasted. Its lines end in "\n".
  case paste(String)
  /// The screen has another size.
  case resize(Size)
  /// The screen is what the person types into, from now on or no more.
  case focus(Bool)
}
