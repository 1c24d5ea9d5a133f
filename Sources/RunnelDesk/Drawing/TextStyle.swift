/// The colours and effects of text.
///
///     let title = TextStyle(foreground: .brightWhite, background: .blue, effects: .bold)
///     let hit = title.adding([.underline])
///     show(title, hit)
public struct TextStyle: Hashable, Sendable {
  /// Effects such as bold and underline.
  public struct Effects: OptionSet, Hashable, Sendable {
    /// A bit for each effect.
    public let rawValue: UInt8

    /// Creates a set of effects from its bits.
    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// Bold or brighter text.
    public static let bold = Effects(rawValue: 1)
    /// Darker text.
    public static let dim = Effects(rawValue: 2)
    /// Slanted text.
    public static let italic = Effects(rawValue: 4)
    /// A line below the text.
    public static let underline = Effects(rawValue: 8)
    /// Exchanged foreground and background colours.
    public static let reverse = Effects(rawValue: 16)
    /// A line through the text.
    public static let strike = Effects(rawValue: 32)
    /// A wavy line below the text, which marks an error. A terminal without it shows a plain line.
    public static let wavy = Effects(rawValue: 64)
  }

  /// The colour of the text.
  public var foreground: Color
  /// The colour behind the text.
  public var background: Color
  /// The effects.
  public var effects: Effects

  /// Creates a style. Colours default to those of the terminal.
  public init(
    foreground: Color = .standard, background: Color = .standard, effects: Effects = []
  ) {
    self.foreground = foreground
    self.background = background
    self.effects = effects
  }

  /// The terminal's default style.
  public static let plain = TextStyle()

  /// The mark of a misspelled word, which is added to the style of the text.
  static let misspelled = TextStyle(effects: .wavy)

  /// Returns the style with additional effects.
  public func adding(_ effects: Effects) -> TextStyle {
    var style = self
    style.effects.formUnion(effects)
    return style
  }

  /// Returns the style with another foreground colour.
  public func foreground(_ color: Color) -> TextStyle {
    var style = self
    style.foreground = color
    return style
  }

  /// Returns the style with another background colour.
  public func background(_ color: Color) -> TextStyle {
    var style = self
    style.background = color
    return style
  }
}

extension TextStyle: CustomStringConvertible {
  static let names: [(Effects, String)] = [
    (.bold, "bold"), (.dim, "dim"), (.italic, "italic"), (.underline, "underline"),
    (.reverse, "reverse"), (.strike, "strike"), (.wavy, "wavy"),
  ]

  /// The effects and colours, such as "bold red on white"; "plain" for the default style.
  public var description: String {
    var words = Self.names.filter { effects.contains($0.0) }.map(\.1)
    if foreground != .standard { words.append("\(foreground)") }
    if background != .standard { words.append("on \(background)") }
    return words.isEmpty ? "plain" : words.joined(separator: " ")
  }
}
