extension ImageView: CellDrawn {
  /// Draws the picture. Each cell shows two pixels: the upper half block in the colour of one on the
  /// colour of the other.
  public func draw(in painter: inout Painter, theme: Theme) {
    guard let picture = picture(in: painter.size) else { return }
    let rows = (picture.size.height + 1) / 2
    let left = alignment.leading(of: painter.size.width - picture.size.width)
    let top = (painter.size.height - rows) / 2
    for y in 0..<rows {
      for x in 0..<picture.size.width {
        let upper = picture[x, 2 * y]
        let lower = 2 * y + 1 < picture.size.height ? picture[x, 2 * y + 1] : nil
        guard let cell = HalfBlock(upper.ifVisible, lower?.ifVisible, on: theme.text) else {
          continue
        }
        painter.put(cell.text, at: Point(x: left + x, y: top + y), style: cell.style)
      }
    }
  }
}

/// A cell that shows two pixels.
///
/// The foreground has the colour of the brighter pixel, and a block for each bright pixel is
/// preferred, so that the picture can be recognised in a terminal without colours.
private struct HalfBlock {
  let text: String
  let style: TextStyle

  /// Returns nil if neither pixel is visible.
  init?(_ upper: PixelImage.Pixel?, _ lower: PixelImage.Pixel?, on ground: TextStyle) {
    switch (upper, lower) {
    case (nil, nil): return nil
    case (let upper?, nil): (text, style) = ("▀", ground.foreground(upper.color))
    case (nil, let lower?): (text, style) = ("▄", ground.foreground(lower.color))
    case (let upper?, let lower?) where upper.color == lower.color:
      text = upper.brightness > 127 ? "█" : " "
      style = ground.foreground(upper.color).background(upper.color)
    case (let upper?, let lower?) where upper.brightness >= lower.brightness:
      (text, style) = ("▀", ground.foreground(upper.color).background(lower.color))
    case (let upper?, let lower?):
      (text, style) = ("▄", ground.foreground(lower.color).background(upper.color))
    }
  }
}

extension PixelImage.Pixel {
  /// The pixel, unless it is more than half transparent.
  fileprivate var ifVisible: PixelImage.Pixel? { alpha > 127 ? self : nil }

  fileprivate var color: Color { .rgb(red, green, blue) }

  /// The brightness from 0 to 255.
  fileprivate var brightness: Int { (Int(red) * 299 + Int(green) * 587 + Int(blue) * 114) / 1_000 }
}
