/// A colour of a cell: the terminal's own, one of its palette, or a mixture of red, green and blue.
///
/// Terminals with fewer colours show the nearest one that they have.
public struct Color: Hashable, Sendable {
  /// What a colour is made of.
  public enum Kind: Hashable, Sendable {
    /// What the terminal takes where nothing is said.
    case standard
    /// One of the 256 of the palette. The first sixteen are those with names, which people choose
    /// for their terminals.
    case palette(UInt8)
    /// Red, green and blue.
    case rgb(UInt8, UInt8, UInt8)
  }

  /// The kind in the highest byte, then the rest: thousands of colours are compared for each
  /// picture.
  private let code: UInt32

  private init(code: UInt32) {
    self.code = code
  }

  /// What the terminal takes where nothing is said.
  public static let standard = Color(code: 0)

  /// One of the 256 of the palette.
  public static func palette(_ index: UInt8) -> Color { Color(code: 1 << 24 | UInt32(index)) }

  /// A mixture.
  public static func rgb(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Color {
    Color(code: 2 << 24 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue))
  }

  /// What it is made of.
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

extension Color: CustomStringConvertible {
  /// Its name, its number in the palette, or its six hexadecimal digits.
  public var description: String {
    switch kind {
    case .standard: return "standard"
    case .palette(let index):
      return index < 16 ? Self.names[Int(index)] : "palette \(index)"
    case .rgb:
      let digits = String(code & 0xFF_FFFF, radix: 16)
      return "#" + String(repeating: "0", count: 6 - digits.count) + digits
    }
  }
}
