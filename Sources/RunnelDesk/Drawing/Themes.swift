// The themes that come with the module.
extension Theme {
  /// The default theme: the colours of the terminal, and its palette of sixteen colours, which every
  /// terminal has and users often customise.
  public static let standard = Theme()

  /// Bright text on a dark background, in RGB colours. Text has a contrast of at least 4.5:1.
  public static let dark = Theme(
    text: .rgb(0xD4D4D4), background: .rgb(0x1E1E1E), faint: .rgb(0x9A9A9A),
    disabled: .rgb(0x7F7F7F), selection: TextStyle(.rgb(0xFFFFFF), on: .rgb(0x1F5FAE)),
    inactiveSelection: TextStyle(.rgb(0xE0E0E0), on: .rgb(0x3F4449)),
    highlight: TextStyle(.rgb(0x000000), on: .rgb(0xE5C07B)),
    field: TextStyle(.rgb(0xF0F0F0), on: .rgb(0x2F2F2F)), accent: .rgb(0x8CC8F8),
    destructive: .rgb(0xF48771), bars: TextStyle(.rgb(0xE8E8E8), on: .rgb(0x35393F)),
    progress: .rgb(0x89D185), floating: TextStyle(.rgb(0x1E1E1E), on: .rgb(0xD4D4D4)))

  /// Dark text on a bright background, in RGB colours. Text has a contrast of at least 4.5:1.
  public static let light = Theme(
    text: .rgb(0x24292E), background: .rgb(0xFFFFFF), faint: .rgb(0x62696F),
    disabled: .rgb(0x83898F), selection: TextStyle(.rgb(0xFFFFFF), on: .rgb(0x1F5FAE)),
    inactiveSelection: TextStyle(.rgb(0x24292E), on: .rgb(0xD0D7DE)),
    highlight: TextStyle(.rgb(0x000000), on: .rgb(0xFFE08A)),
    field: TextStyle(.rgb(0x24292E), on: .rgb(0xEEF1F4)), accent: .rgb(0x0B56A8),
    destructive: .rgb(0xB3261E), bars: TextStyle(.rgb(0x24292E), on: .rgb(0xDDE2E7)),
    progress: .rgb(0x1A7F37), floating: TextStyle(.rgb(0xFFFFFF), on: .rgb(0x24292E)))

  /// White and bright colours on black. All text has a contrast of at least 7:1, which the Web
  /// Content Accessibility Guidelines require at level AAA.
  public static let highContrast = {
    let (black, white) = (Color.rgb(0x000000), Color.rgb(0xFFFFFF))
    var theme = Theme(
      text: white, background: black, faint: .rgb(0xD8D8D8), disabled: .rgb(0xA8A8A8),
      selection: TextStyle(black, on: .rgb(0xFFFF00)),
      inactiveSelection: TextStyle(black, on: white),
      highlight: TextStyle(black, on: .rgb(0x00FFFF)), field: TextStyle(white, on: black),
      accent: .rgb(0x00FFFF), destructive: .rgb(0xFF9C9C), bars: TextStyle(black, on: white),
      progress: .rgb(0x00FF00), floating: TextStyle(black, on: .rgb(0xFFFF00)))
    theme.field.effects = .underline
    theme.border.foreground = white
    return theme
  }()

  /// Creates a theme in which all styles have explicit colours.
  private init(
    text: Color, background: Color, faint: Color, disabled: Color, selection: TextStyle,
    inactiveSelection: TextStyle, highlight: TextStyle, field: TextStyle, accent: Color,
    destructive: Color, bars: TextStyle, progress: Color, floating: TextStyle
  ) {
    self.text = TextStyle(text, on: background)
    self.faint = TextStyle(faint, on: background)
    self.disabled = TextStyle(disabled, on: background)
    self.selection = selection
    self.inactiveSelection = inactiveSelection
    self.highlight = highlight
    header = TextStyle(text, on: background).adding(.bold)
    self.field = field
    button = TextStyle(accent, on: background).adding(.bold)
    self.destructive = TextStyle(destructive, on: background).adding(.bold)
    invalid = TextStyle(destructive, on: background)
    menu = bars
    status = bars
    self.progress = TextStyle(progress, on: background)
    border = TextStyle(faint, on: background)
    self.floating = floating
  }
}

extension TextStyle {
  fileprivate init(_ foreground: Color, on background: Color) {
    self.init(foreground: foreground, background: background)
  }
}

extension Color {
  /// Returns a colour from its hexadecimal digits.
  fileprivate static func rgb(_ digits: UInt32) -> Color {
    rgb(
      UInt8(truncatingIfNeeded: digits >> 16), UInt8(truncatingIfNeeded: digits >> 8),
      UInt8(truncatingIfNeeded: digits))
  }
}
