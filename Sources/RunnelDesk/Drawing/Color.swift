import RunnelStreams

/// A colour: the terminal's default, an entry of its palette, or an RGB value.
///
/// Terminals with fewer colours show the nearest one available.
public struct Color: Hashable, Sendable {
  /// The representation of a colour.
  public enum Kind: Hashable, Sendable {
    /// The terminal's default foreground or background colour.
    case standard
    /// One of the 256 palette entries. The first sixteen have names; users often customise them.
    case palette(UInt8)
    /// Red, green and blue components.
    case rgb(UInt8, UInt8, UInt8)
  }

  /// The kind in the highest byte and its value below: one word is fast to compare.
  private let code: UInt32

  private init(code: UInt32) {
    self.code = code
  }

  /// The terminal's default foreground or background colour.
  public static let standard = Color(code: 0)

  /// Returns one of the 256 palette entries.
  public static func palette(_ index: UInt8) -> Color { Color(code: 1 << 24 | UInt32(index)) }

  /// Returns a colour with red, green and blue components.
  public static func rgb(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Color {
    Color(code: 2 << 24 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue))
  }

  /// The representation of the colour.
  public var kind: Kind {
    let low = UInt8(truncatingIfNeeded: code)
    switch code >> 24 {
    case 0: return .standard
    case 1: return .palette(low)
    default:
      return .rgb(
        UInt8(truncatingIfNeeded: code >> 16), UInt8(truncatingIfNeeded: code >> 8), low)
    }
  }
}

extension Color {
  /// Colour 0 of the palette.
  public static let black = palette(0)
  /// Colour 1 of the palette.
  public static let red = palette(1)
  /// Colour 2 of the palette.
  public static let green = palette(2)
  /// Colour 3 of the palette.
  public static let yellow = palette(3)
  /// Colour 4 of the palette.
  public static let blue = palette(4)
  /// Colour 5 of the palette.
  public static let magenta = palette(5)
  /// Colour 6 of the palette.
  public static let cyan = palette(6)
  /// Colour 7 of the palette.
  public static let white = palette(7)
  /// Colour 8 of the palette: a dark grey.
  public static let brightBlack = palette(8)
  /// Colour 9 of the palette.
  public static let brightRed = palette(9)
  /// Colour 10 of the palette.
  public static let brightGreen = palette(10)
  /// Colour 11 of the palette.
  public static let brightYellow = palette(11)
  /// Colour 12 of the palette.
  public static let brightBlue = palette(12)
  /// Colour 13 of the palette.
  public static let brightMagenta = palette(13)
  /// Colour 14 of the palette.
  public static let brightCyan = palette(14)
  /// Colour 15 of the palette.
  public static let brightWhite = palette(15)

  private static let names = [
    "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white", "brightBlack",
    "brightRed", "brightGreen", "brightYellow", "brightBlue", "brightMagenta", "brightCyan",
    "brightWhite",
  ]
}

extension Color: LosslessStringConvertible {
  /// Creates a colour from its ``description``. Returns nil if it is invalid.
  ///
  ///     print(Color("#ff8000") == .rgb(255, 128, 0))  // true
  public init?(_ description: String) {
    if description == "standard" {
      self = .standard
    } else if let index = Self.names.firstIndex(of: description) {
      self = .palette(UInt8(index))
    } else if description.hasPrefix("palette "), let index = UInt8(description.dropFirst(8)) {
      self = .palette(index)
    } else if description.hasPrefix("#"), description.utf8.count == 7,
      description.dropFirst().allSatisfy(\.isHexDigit),
      let code = UInt32(description.dropFirst(), radix: 16)
    {
      self.init(code: 2 << 24 | code)
    } else {
      return nil
    }
  }

  /// The name, the palette index, or six hexadecimal digits.
  public var description: String {
    switch kind {
    case .standard: return "standard"
    case .palette(let index):
      return index < 16 ? Self.names[Int(index)] : "palette \(index)"
    case .rgb:
      return "#" + (code & 0xFF_FFFF).padded(to: 6, radix: 16)
    }
  }
}
