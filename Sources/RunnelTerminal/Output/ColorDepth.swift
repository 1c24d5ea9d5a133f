import RunnelDesk

/// The number of colours of a terminal.
public enum ColorDepth: Hashable, Sendable {
  /// No colours, or none wanted.
  case none
  /// The 16 named colours.
  case sixteen
  /// The 256 colours of the palette.
  case palette
  /// All RGB colours.
  case full

  /// Derives the colour depth from environment variables. A non-empty `NO_COLOR` disables colours.
  public init(environment: [String: String]) {
    let terminal = environment["TERM"] ?? ""
    let color = environment["COLORTERM"] ?? ""
    if environment["NO_COLOR"].map({ !$0.isEmpty }) == true || ["", "dumb"].contains(terminal) {
      self = .none
    } else if ["truecolor", "24bit"].contains(color) || terminal.hasSuffix("-direct")
      || Self.colorful.contains(where: terminal.hasPrefix)
    {
      self = .full
    } else if terminal.contains("256color") || !color.isEmpty {
      self = .palette
    } else if terminal.hasSuffix("-mono") || ["vt100", "vt102", "vt220"].contains(terminal) {
      self = .none
    } else {
      self = .sixteen
    }
  }

  /// Prefixes of the names of terminals that have all colours.
  private static let colorful = [
    "xterm-kitty", "xterm-ghostty", "alacritty", "foot", "wezterm", "contour", "iterm2",
  ]

  /// Returns true if a terminal with this colour depth is known to draw wavy lines in red. Others could read
  /// the codes as colours of the background.
  func mayHaveWavyLines(environment: [String: String]) -> Bool {
    let terminal = environment["TERM"] ?? ""
    if self == .none || terminal.hasPrefix("screen") { return false }
    func isAtLeast(_ version: Int, _ name: String) -> Bool {
      environment[name].flatMap { Int($0) }.map { $0 >= version } == true
    }
    return Self.colorful.contains(where: terminal.hasPrefix)
      || ["iTerm.app", "WezTerm", "ghostty"].contains(environment["TERM_PROGRAM"])
      || isAtLeast(5_200, "VTE_VERSION") || isAtLeast(220_400, "KONSOLE_VERSION")
  }

  func nearest(to color: Color) -> Color {
    switch (self, color.kind) {
    case (_, .standard), (.none, _): .standard
    case (.full, _), (.palette, .palette): color
    case (.palette, .rgb(let red, let green, let blue)):
      .palette(Palette.nearest(to: RGB(red, green, blue), among: Palette.fixed))
    case (.sixteen, .palette(let index)):
      index < 16
        ? color : .palette(Palette.nearest(to: Palette.colors[Int(index)], among: Palette.named))
    case (.sixteen, .rgb(let red, let green, let blue)):
      .palette(Palette.nearest(to: RGB(red, green, blue), among: Palette.named))
    }
  }

  func nearest(to style: TextStyle) -> TextStyle {
    if self == .full { return style }
    return TextStyle(
      foreground: nearest(to: style.foreground), background: nearest(to: style.background),
      effects: style.effects)
  }
}
