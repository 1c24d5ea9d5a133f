/// A backend that a ``Script`` can control: it reports what it shows, and accepts input.
@MainActor
public protocol ScriptableBackend: Backend {
  /// The contents of the screen, as the user reads them.
  var grid: Grid { get }

  /// A picture of the current screen: an SVG file, or a PNG file of a window. It is empty if the
  /// window has not been drawn.
  var picture: [UInt8] { get }

  /// Delivers an input event, as the keyboard and the mouse do.
  func send(_ event: InputEvent)
}
