#if GTK
import CGTK
import RunnelDesk

extension Color {
  /// The red, green and blue parts from 0 to 1; nil for the standard colour, which is that of the
  /// desktop's theme.
  var parts: (red: Double, green: Double, blue: Double)? {
    let code: (UInt8, UInt8, UInt8)
    switch kind {
    case .standard: return nil
    case .rgb(let red, let green, let blue): code = (red, green, blue)
    case .palette(let index): code = Self.palette(index)
    }
    return (Double(code.0) / 255, Double(code.1) / 255, Double(code.2) / 255)
  }

  /// The colour for a style sheet or for Pango; nil for the standard colour.
  var name: String? {
    guard let parts else { return nil }
    let digits = [parts.red, parts.green, parts.blue].map { part in
      let text = String(Int((part * 255).rounded()), radix: 16)
      return text.count == 1 ? "0" + text : text
    }
    return "#" + digits.joined()
  }

  /// The colour for text on the background of the desktop's theme. The colours of a terminal are lighter on
  /// a dark one.
  func name(onDark isDark: Bool) -> String? {
    guard isDark, case .palette(let index) = kind, index < 16 else { return name }
    return Self.onDark[Int(index) % 8] ?? name
  }

  /// The first eight colours of a terminal as text on a dark background; nil for a colour that stays.
  private static let onDark: [String?] = [
    nil, "#f66151", "#57e389", "#f8e45c", "#62a0ea", "#dc8add", "#5bc8d8", nil,
  ]

  /// The brightness from 0 to 1; nil for the standard colour.
  var luminance: Double? {
    parts.map { 0.2126 * $0.red + 0.7152 * $0.green + 0.0722 * $0.blue }
  }

  private static let named: [(UInt8, UInt8, UInt8)] = [
    (0x17, 0x14, 0x21), (0xC0, 0x1C, 0x28), (0x26, 0xA2, 0x69), (0xF5, 0xC2, 0x11),
    (0x1C, 0x5F, 0xC4), (0xA3, 0x47, 0xBA), (0x1A, 0x85, 0x9C), (0xD0, 0xCF, 0xCC),
    (0x5E, 0x5C, 0x64), (0xE0, 0x4E, 0x3C), (0x2E, 0xB8, 0x7A), (0xC8, 0x95, 0x2D),
    (0x3D, 0x84, 0xE6), (0xC0, 0x61, 0xCB), (0x2A, 0xA8, 0xBE), (0xFF, 0xFF, 0xFF),
  ]

  /// The colours of the palette that terminals agree on: sixteen named ones, a cube and greys.
  private static func palette(_ index: UInt8) -> (UInt8, UInt8, UInt8) {
    if index < 16 { return named[Int(index)] }
    if index >= 232 {
      let grey = 8 + 10 * (index - 232)
      return (grey, grey, grey)
    }
    let place = index - 16
    func level(_ step: UInt8) -> UInt8 { step == 0 ? 0 : 55 + 40 * step }
    return (level(place / 36), level(place / 6 % 6), level(place % 6))
  }
}
#endif
