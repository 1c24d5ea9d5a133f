/// The styles that cell-based backends draw with.
///
///     application.theme = .dark
///     application.theme.selection = TextStyle(foreground: .black, background: .green)
///
/// A theme can also be read from a file: see ``init(contentsOf:base:)``.
public struct Theme: Hashable, Sendable {
  /// Normal text.
  public var text = TextStyle.plain
  /// Less important text and lines: hints, dates, dividers.
  public var faint = TextStyle(foreground: .brightBlack)
  /// Disabled controls.
  public var disabled = TextStyle(foreground: .brightBlack)
  /// The selection in the focused view.
  public var selection = TextStyle(foreground: .brightWhite, background: .blue)
  /// The selection in other views.
  public var inactiveSelection = TextStyle(effects: .reverse)
  /// Search hits.
  public var highlight = TextStyle(foreground: .black, background: .yellow)
  /// Headers of columns and sections.
  public var header = TextStyle(effects: [.bold])
  /// Text fields.
  public var field = TextStyle(effects: .underline)
  /// Validation messages, and text fields that have one.
  public var invalid = TextStyle(foreground: .red)
  /// Buttons and other controls that can be pressed.
  public var button = TextStyle(effects: .bold)
  /// Buttons for actions that cannot be undone.
  public var destructive = TextStyle(foreground: .red, effects: .bold)
  /// The menu bar and open menus.
  public var menu = TextStyle(effects: .reverse)
  /// The status bar.
  public var status = TextStyle(effects: .reverse)
  /// The completed part of a progress bar.
  public var progress = TextStyle(foreground: .green)
  /// The borders of dialogs.
  public var border = TextStyle.plain
  /// Toasts and tool tips.
  public var floating = TextStyle(effects: .reverse)

  /// Creates the default theme.
  public init() {}
}
