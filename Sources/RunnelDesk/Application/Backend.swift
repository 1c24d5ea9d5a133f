/// A screen and input source for an ``Application``, such as a terminal or a window.
///
/// Controls own all state; a backend displays it and reports input. After ``needsDisplay()`` it
/// redraws soon, once for several calls. Input reaches the application in one of two ways:
/// - A backend with keys and a mouse passes raw events to ``Application/handle(_:)``.
/// - A backend with native widgets proposes changes, for example ``Button/press()``,
///   `Checkbox.propose(isOn:)` or ``TableView/propose(selectedRows:)``, and shows the result,
///   because a delegate may refuse.
///
/// So delegates and their proxies work in the same way on every backend.
@MainActor
public protocol Backend: AnyObject {
  /// Starts showing the application. The backend holds it weakly.
  func start(_ application: Application)

  /// Requests a redraw. It is called often; the backend combines several calls into one redraw.
  func needsDisplay()

  /// The text on the clipboard, as far as the backend can read it.
  var clipboard: String { get set }

  /// True if the backend shows a header bar in the windows whose ``Window/menuStyle`` asks for it. By
  /// default false.
  var showsHeaderBars: Bool { get }

  /// Alerts the user, for example with a sound.
  func ring()

  /// Brings the application in front of others, as far as the desktop allows. By default it alerts the
  /// user.
  func raise()

  /// Stops showing the application, which has ended.
  func stop()
}

extension Backend {
  /// False.
  public var showsHeaderBars: Bool { false }

  /// Alerts the user.
  public func raise() { ring() }
}
