import RunnelStreams
import RunnelText

/// A backend without a screen, for tests and scripts.
///
///     let backend = HeadlessBackend(Size(width: 40, height: 10))
///     let application = Application(backend: backend)
///     application.show(window)
///     backend.type("milk")
///     backend.press("ctrl+s")
///     print(backend.text)
///
/// The screen contents are drawn when they are read.
@MainActor
public final class HeadlessBackend: ScriptableBackend {
  /// The text that was copied.
  public var clipboard = ""
  /// The number of calls to ``ring()``.
  public private(set) var rings = 0
  /// The number of times the screen was drawn.
  public private(set) var pictureCount = 0

  private var size: Size
  private var drawn: Grid?
  /// The number of calls to ``needsDisplay()``.
  private var revision = 0
  private weak var application: Application?
  private let reader = LinearReader()

  /// Creates a screen of a size, which is limited to 2,000 × 1,000 cells.
  public init(_ size: Size) {
    self.size = size.ofScreen
  }

  /// Starts showing the application.
  public func start(_ application: Application) {
    precondition(
      self.application == nil,
      "The backend already shows an application. Create one HeadlessBackend per application.")
    self.application = application
  }

  /// Discards the drawn screen, so that the next read draws it again.
  public func needsDisplay() {
    drawn = nil
    revision += 1
  }

  /// Increments ``rings``.
  public func ring() { rings += 1 }

  /// Stops showing the application.
  public func stop() {
    application = nil
    drawn = nil
  }

  // MARK: - Output

  /// The contents of the screen.
  public var grid: Grid {
    if let drawn { return drawn }
    guard let application else { return Grid(size) }
    let revision = revision
    let grid = Renderer.picture(of: application, size: size)
    // Delegates called while drawing may have changed the contents.
    if revision == self.revision { drawn = grid }
    pictureCount += 1
    return grid
  }

  /// A picture of the screen, as an SVG file.
  public var picture: [UInt8] { Array(grid.svg.utf8) }

  /// The contents of the screen as text.
  public var text: String { grid.text }

  /// Returns the lines that a terminal in plain mode would have written since the last call: the
  /// window and the focus at first, then each change.
  ///
  ///     application.show(window)
  ///     #expect(backend.readLines().last == "Search, text field")
  ///     backend.type("m")
  ///     #expect(backend.readLines() == ["m"])
  public func readLines() -> [String] {
    application.map { reader.read($0, size: size) } ?? []
  }

  // MARK: - Input

  /// Delivers an input event to the application.
  public func send(_ event: InputEvent) {
    // The screen is laid out first, as it is when a user acts on it.
    _ = grid
    if case .resize(let size) = event { self.size = size.ofScreen }
    application?.handle(event)
  }

  /// Types text character by character. A line break is Return, and a tab is the Tab key.
  public func type(_ text: String) {
    for character in text { send(.key(KeyPress(typing: character))) }
  }

  /// Presses a key by its name, such as "ctrl+s".
  public func press(_ name: String) {
    guard let press = KeyPress(name) else {
      preconditionFailure("No key is named \"\(name)\". Write it as \"ctrl+s\" or \"pagedown\".")
    }
    send(.key(press))
  }

  /// Clicks a cell with the left button.
  public func click(_ point: Point, _ modifiers: Modifiers = []) {
    send(.mouse(MouseEvent(.press(.left), at: point, modifiers)))
    send(.mouse(MouseEvent(.release(.left), at: point, modifiers)))
  }

  /// Clicks the middle of the first occurrence of a text.
  public func click(_ text: String, _ modifiers: Modifiers = []) {
    guard let point = grid.firstPlace(of: text) else {
      preconditionFailure("\"\(text)\" is not on the screen:\n\(self.text)")
    }
    click(point, modifiers)
  }
}

extension Grid {
  /// Returns the cell in the middle of the first occurrence of a text, or nil if there is none.
  package func firstPlace(of text: String) -> Point? {
    for (y, line) in lines.enumerated() {
      guard let range = line.firstRange(of: text) else { continue }
      return Point(x: line[..<range.lowerBound].cellWidth + text.cellWidth / 2, y: y)
    }
    return nil
  }
}
