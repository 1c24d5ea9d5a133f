/// The modifier keys held during a key press or mouse event.
public struct Modifiers: OptionSet, Hashable, Sendable {
  /// One bit for each modifier.
  public let rawValue: UInt8

  /// Creates a set of modifiers from its bits.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Shift. With a character it is only reported together with another modifier: otherwise, the
  /// character implies it.
  public static let shift = Modifiers(rawValue: 1)
  /// Alt, which some keyboards call Option or Meta.
  public static let alt = Modifiers(rawValue: 2)
  /// Control.
  public static let control = Modifiers(rawValue: 4)
  /// Super, which some keyboards call Windows or Command.
  public static let `super` = Modifiers(rawValue: 8)
}

extension Modifiers {
  static let names: [(Modifiers, String)] = [
    (.control, "ctrl"), (.alt, "alt"), (.shift, "shift"), (.super, "super"),
  ]
}
