/// How things look on backends that are made of cells.
///
///     application.theme.selection = TextStyle(foreground: .black, background: .green)
public struct Theme: Hashable, Sendable {
  /// Text.
  public var text = TextStyle.plain
  /// Text that matters less: hints, dates, lines between things.
  public var faint = TextStyle(foreground: .brightBlack)
  /// What cannot be used.
  public var disabled = TextStyle(foreground: .brightBlack)
  /// What is selected, where keys go to.
  public var selection = TextStyle(foreground: .brightWhite, background: .blue)
  /// What is selected, where keys do not go to.
  public var inactiveSelection = TextStyle(effects: .reverse)
  /// What was searched for.
  public var highlight = TextStyle(foreground: .black, background: .yellow)
  /// What stands above columns and sections.
  public var header = TextStyle(effects: [.bold])
  /// A line of text that can be edited.
  public var field = TextStyle(effects: .underline)
  /// A button, and what else can be pressed.
  public var button = TextStyle(effects: .bold)
  /// A button for what cannot be undone.
  public var destructive = TextStyle(foreground: .red, effects: .bold)
  /// The bar with menus, and open ones.
  public var menu = TextStyle(effects: .reverse)
  /// The bar below all.
  public var status = TextStyle(effects: .reverse)
  /// What has been done of something.
  public var progress = TextStyle(foreground: .green)
  /// The border of a dialog.
  public var border = TextStyle.plain

  /// As it looks where nothing is said.
  public static let standard = Theme()
}
