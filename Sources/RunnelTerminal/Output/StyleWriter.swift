import RunnelDesk

/// A writer of changes of the text style.
struct StyleWriter {
  let colors: ColorDepth
  /// True if the terminal draws wavy lines; otherwise they become plain ones.
  let hasWavyLines: Bool

  /// The current style of the terminal; nil if it is unknown.
  private(set) var current: TextStyle?
  /// The last requested style, cached together with its nearest displayable style: most requests
  /// repeat.
  private var asked = TextStyle.plain
  private var shown = TextStyle.plain

  init(colors: ColorDepth, hasWavyLines: Bool = false) {
    self.colors = colors
    self.hasWavyLines = hasWavyLines
  }

  mutating func forget() {
    current = nil
  }

  /// Returns the nearest style that the terminal can display.
  mutating func visible(_ style: TextStyle) -> TextStyle {
    if style != asked {
      asked = style
      shown = colors.nearest(to: style)
      if !hasWavyLines, shown.effects.remove(.wavy) != nil { shown.effects.insert(.underline) }
    }
    return shown
  }

  /// Returns true if a style looks like the current one.
  mutating func has(_ style: TextStyle) -> Bool { current == visible(style) }

  mutating func set(_ style: TextStyle, into bytes: inout [UInt8]) {
    let style = visible(style)
    guard style != current else { return }
    if style == .plain {
      bytes.append(ascii: "\u{1B}[m")
    } else if let current {
      // Both encodings are written, and the longer one is removed.
      let start = bytes.count
      Self.change(current, to: style, into: &bytes)
      let middle = bytes.count
      Self.change(nil, to: style, into: &bytes)
      if bytes.count - middle < middle - start {
        bytes.removeSubrange(start..<middle)
      } else {
        bytes.removeSubrange(middle...)
      }
    } else {
      Self.change(nil, to: style, into: &bytes)
    }
    current = style
  }

  /// Writes a change from one style, or from an unknown one, to another.
  private static func change(
    _ old: TextStyle?, to new: TextStyle, into bytes: inout [UInt8]
  ) {
    bytes.append(ascii: "\u{1B}[")
    // An omitted number is 0, which resets all attributes.
    if old == nil { bytes.append(UInt8(ascii: ";")) }
    var had = old?.effects ?? []
    for (effects, code) in removals where !had.subtracting(new.effects).isDisjoint(with: effects) {
      append(code, into: &bytes)
      if code == lineRemoval && had.contains(.wavy) { append(usualLineColor, into: &bytes) }
      had.subtract(effects)
    }
    for (effect, code) in additions where new.effects.contains(effect) && !had.contains(effect) {
      append(code, into: &bytes)
    }
    if new.effects.contains(.wavy) && !had.contains(.wavy) {
      bytes.append(ascii: wavyRedLine)
    }
    let plain = TextStyle.plain
    if new.foreground != (old ?? plain).foreground {
      append(new.foreground, base: 30, into: &bytes)
    }
    if new.background != (old ?? plain).background {
      append(new.background, base: 40, into: &bytes)
    }
    // The final byte replaces the last semicolon.
    bytes[bytes.count - 1] = UInt8(ascii: "m")
  }

  private static let additions: [(TextStyle.Effects, Int)] = [
    (.bold, 1), (.dim, 2), (.italic, 3), (.underline, 4), (.reverse, 7), (.strike, 9),
  ]

  private static let lineRemoval = 24
  private static let usualLineColor = 59

  /// A red wavy line.
  private static let wavyRedLine: StaticString = "4:3;58:5:1;"

  /// The codes that remove effects. One code ends both bold and dim, and one all lines below.
  private static let removals: [(TextStyle.Effects, Int)] = [
    ([.bold, .dim], 22), (.italic, 23), ([.underline, .wavy], lineRemoval), (.reverse, 27),
    (.strike, 29),
  ]

  private static func append(_ number: Int, into bytes: inout [UInt8]) {
    bytes.append(decimal: number)
    bytes.append(UInt8(ascii: ";"))
  }

  private static func append(_ color: Color, base: Int, into bytes: inout [UInt8]) {
    switch color.kind {
    case .standard: append(base + 9, into: &bytes)
    case .palette(let index) where index < 8: append(base + Int(index), into: &bytes)
    case .palette(let index) where index < 16: append(base + 52 + Int(index), into: &bytes)
    case .palette(let index):
      for number in [base + 8, 5, Int(index)] { append(number, into: &bytes) }
    case .rgb(let red, let green, let blue):
      for number in [base + 8, 2, Int(red), Int(green), Int(blue)] { append(number, into: &bytes) }
    }
  }
}
