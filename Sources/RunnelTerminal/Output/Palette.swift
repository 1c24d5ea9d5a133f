/// A colour with red, green and blue components.
struct RGB: Hashable {
  let red: UInt8
  let green: UInt8
  let blue: UInt8

  init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// Returns the perceived distance. The eye is most sensitive to green and least to blue.
  func distance(to other: RGB) -> Int {
    let (red, green) = (Int(red) - Int(other.red), Int(green) - Int(other.green))
    let blue = Int(blue) - Int(other.blue)
    return 3 * red * red + 6 * green * green + blue * blue
  }
}

/// The RGB values of the 256 palette colours.
enum Palette {
  /// The named colours. Users can customise them, so these values are a guess.
  static let named: Range<Int> = 0..<16
  /// The other colours: a cube of colours and a scale of greys, the same in all terminals.
  static let fixed: Range<Int> = 16..<256

  static let colors: [RGB] = {
    var colors = [
      RGB(0, 0, 0), RGB(205, 0, 0), RGB(0, 205, 0), RGB(205, 205, 0), RGB(0, 0, 238),
      RGB(205, 0, 205), RGB(0, 205, 205), RGB(229, 229, 229), RGB(127, 127, 127), RGB(255, 0, 0),
      RGB(0, 255, 0), RGB(255, 255, 0), RGB(92, 92, 255), RGB(255, 0, 255), RGB(0, 255, 255),
      RGB(255, 255, 255),
    ]
    let steps: [UInt8] = [0, 95, 135, 175, 215, 255]
    for red in steps {
      for green in steps {
        for blue in steps { colors.append(RGB(red, green, blue)) }
      }
    }
    for step in UInt8(0)..<24 { colors.append(RGB(8 + step * 10, 8 + step * 10, 8 + step * 10)) }
    return colors
  }()

  /// Returns the index of the nearest colour in a range; the first one if several are equally near.
  static func nearest(to color: RGB, among range: Range<Int>) -> UInt8 {
    var best = range.lowerBound
    var least = Int.max
    for index in range {
      let distance = colors[index].distance(to: color)
      if distance < least { (best, least) = (index, distance) }
    }
    return UInt8(truncatingIfNeeded: best)
  }
}
