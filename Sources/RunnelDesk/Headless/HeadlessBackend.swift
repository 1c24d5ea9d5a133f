import RunnelStreams
import RunnelText

/// A screen that nobody sees: for tests, and for scripts.
///
///     let backend = HeadlessBackend(Size(width: 40, height: 10))
///     let application = Application(backend: backend)
///     application.show(window)
///     backend.type("milk")
///     backend.press("ctrl+s")
///     print(backend.text)
///
/// It draws what a terminal would show, whenever it is looked at.
@MainActor
public final class HeadlessBackend: Backend {
  /// What was copied.
  public var clipboard = ""
  /// How often it was to make a person look or hear.
  public private(set) var rings = 0
  /// How many pictures it has drawn.
  public private(set) var pictureCount = 0

  private var size: Size
  private var picture: Grid?
  /// Counts how often something looked different.
  private var revision = 0
  private weak var application: Application?

  /// A screen of a size, which is 2,000 × 1,000 at most.
  public init(_ size: Size) {
    self.size = size.ofScreen
  }

  /// From now on it shows the application.
  public func start(_ application: Application) {
    precondition(
      self.application == nil,
      "The backend shows an application already. Make a HeadlessBackend for each.")
    self.application = application
  }

  /// The next look at it draws it anew.
  public func needsDisplay() {
    picture = nil
    revision += 1
  }

  /// Counts.
  public func ring() { rings += 1 }

  /// Shows nothing any more.
  public func stop() {
    application = nil
    picture = nil
  }

  // MARK: - What it shows

  /// What it shows.
  public var grid: Grid {
    if let picture { return picture }
    guard let application else { return Grid(size) }
    let revision = revision
    let grid = Renderer.picture(of: application, size: size)
    // Those who are asked while it is drawn may change what it shows.
    if revision == self.revision { picture = grid }
    pictureCount += 1
    return grid
  }

  /// What it shows, as text.
  public var text: String { grid.text }

  // MARK: - What a person does

  /// Does what a person may do in front of a terminal.
  public func send(_ event: InputEvent) {
    // A person acts on what the screen shows.
    _ = grid
    if case .resize(let size) = event { self.size = size.ofScreen }
    application?.handle(event)
  }

  /// Types a text, character by character. A new line is Return, and a tab is Tab.
  public func type(_ text: String) {
    for character in text { send(.key(KeyPress(typing: character))) }
  }

  /// Presses a key, by its name: "ctrl+s".
  public func press(_ name: String) {
    guard let press = KeyPress(name) else {
      preconditionFailure("No key is called \"\(name)\". Write it as \"ctrl+s\" or \"pagedown\".")
    }
    send(.key(press))
  }

  /// Clicks with the left button at a cell.
  public func click(_ point: Point, _ modifiers: Modifiers = []) {
    send(.mouse(MouseEvent(.press(.left), at: point, modifiers)))
    send(.mouse(MouseEvent(.release(.left), at: point, modifiers)))
  }

  /// Clicks in the middle of where a text stands first.
  public func click(_ text: String, _ modifiers: Modifiers = []) {
    guard let point = grid.firstPlace(of: text) else {
      preconditionFailure("\"\(text)\" is not on the screen:\n\(self.text)")
    }
    click(point, modifiers)
  }
}

extension Grid {
  /// The cell in the middle of where a text stands first.
  package func firstPlace(of text: String) -> Point? {
    for (y, line) in lines.enumerated() {
      guard let range = line.firstRange(of: text) else { continue }
      return Point(x: line[..<range.lowerBound].cellWidth + text.cellWidth / 2, y: y)
    }
    return nil
  }
}
