/// The keys that are held while another one, or a button of the mouse, is pressed.
public struct Modifiers: OptionSet, Hashable, Sendable {
  /// A bit for each key.
  public let rawValue: UInt8

  /// The keys of some bits.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Shift. With a character, told only where another one is held too: the character says it else.
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
