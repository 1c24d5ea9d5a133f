/// How text looks: its colours and effects.
///
///     let title = TextStyle(foreground: .brightWhite, background: .blue, effects: .bold)
///     let hit = title.adding([.underline])
///     show(title, hit)
public struct TextStyle: Hashable, Sendable {
  /// What is done to text beside colouring it.
  public struct Effects: OptionSet, Hashable, Sendable {
    /// A bit for each effect.
    public let rawValue: UInt8

    /// The effects of some bits.
    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// Thicker, or brighter.
    public static let bold = Effects(rawValue: 1)
    /// Less bright.
    public static let dim = Effects(rawValue: 2)
    /// Leaning.
    public static let italic = Effects(rawValue: 4)
    /// A line below.
    public static let underline = Effects(rawValue: 8)
    /// The two colours change places.
    public static let reverse = Effects(rawValue: 16)
    /// A line through the middle.
    public static let strike = Effects(rawValue: 32)
  }

  /// The colour of the text.
  public var foreground: Color
  /// The colour behind the text.
  public var background: Color
  /// What is done to it beside.
  public var effects: Effects

  /// A style; what is not said is as the terminal has it.
  public init(
    foreground: Color = .standard, background: Color = .standard, effects: Effects = []
  ) {
    self.foreground = foreground
    self.background = background
    self.effects = effects
  }

  /// Text as the terminal shows it where nothing is said.
  public static let plain = TextStyle()

  /// The style with other effects added to its own.
  public func adding(_ effects: Effects) -> TextStyle {
    var style = self
    style.effects.formUnion(effects)
    return style
  }

  /// The style with another colour of the text.
  public func foreground(_ color: Color) -> TextStyle {
    var style = self
    style.foreground = color
    return style
  }

  /// The style with another colour behind the text.
  public func background(_ color: Color) -> TextStyle {
    var style = self
    style.background = color
    return style
  }
}

extension TextStyle: CustomStringConvertible {
  private static let names: [(Effects, String)] = [
    (.bold, "bold"), (.dim, "dim"), (.italic, "italic"), (.underline, "underline"),
    (.reverse, "reverse"), (.strike, "strike"),
  ]

  /// Its effects, its colour, and the one behind it: "bold red on white"; "plain" if it has none.
  public var description: String {
    var words = Self.names.filter { effects.contains($0.0) }.map(\.1)
    if foreground != .standard { words.append("\(foreground)") }
    if background != .standard { words.append("on \(background)") }
    return words.isEmpty ? "plain" : words.joined(separator: " ")
  }
}
