import RunnelDesk
import RunnelTesting
import RunnelText

/// A simple, slow grid to compare with.
struct SlowGrid {
  private var rows: [[Cell]]
  private let bounds: Rect

  init(_ size: Size) {
    bounds = Rect(origin: .zero, size: size)
    rows = Array(repeating: Array(repeating: .blank, count: size.width), count: size.height)
  }

  subscript(point: Point) -> Cell { rows[point.y][point.x] }

  mutating func put(_ text: String, at point: Point, _ style: TextStyle, in clip: Rect) {
    var x = point.x
    for character in text {
      let shown: Character = character.asciiValue.map { $0 < 0x20 } == true ? "␉" : character
      put(shown, at: Point(x: x, y: point.y), style, in: clip)
      x += character.cellWidth
    }
  }

  mutating func fill(_ rect: Rect, with character: Character, _ style: TextStyle, in clip: Rect) {
    let rect = rect.intersection(clip).intersection(bounds)
    guard character.cellWidth > 0 else { return }
    for y in rect.minY..<max(rect.maxY, rect.minY) {
      let width = rect.width / character.cellWidth + 1
      put(
        String(repeating: character, count: width), at: Point(x: rect.minX, y: y), style, in: rect)
    }
  }

  private mutating func put(
    _ character: Character, at point: Point, _ style: TextStyle, in clip: Rect
  ) {
    let clip = clip.intersection(bounds)
    let places = (0..<character.cellWidth).map { Point(x: point.x + $0, y: point.y) }
    let visible = places.filter { clip.contains($0) }
    for place in visible { blankBothHalves(at: place) }
    for place in visible { rows[place.y][place.x] = Cell(" ", style: style) }
    guard visible.count == places.count, let first = places.first else { return }
    rows[first.y][first.x] = Cell(character, style: style, width: places.count)
    for place in places.dropFirst() { rows[place.y][place.x] = Cell(" ", style: style, width: 0) }
  }

  private mutating func blankBothHalves(at place: Point) {
    var row = rows[place.y]
    if row[place.x].width == 2 { row[place.x + 1] = Cell(" ", style: row[place.x].style) }
    if row[place.x].width == 0 { row[place.x - 1] = Cell(" ", style: row[place.x].style) }
    row[place.x] = Cell(" ", style: row[place.x].style)
    rows[place.y] = row
  }
}

/// Parts of random drawings.
enum RandomDrawing {
  private static let characters: [Character] = [
    "a", "b", " ", "ä", "世", "界", "👍🏽", "🇨🇭", "e\u{301}", "\u{200B}", "\t", "❤\u{FE0F}",
  ]

  private static let styles = [
    TextStyle.plain, TextStyle(foreground: .red), TextStyle(background: .rgb(1, 2, 3)),
    TextStyle(effects: [.bold, .underline]),
  ]

  static func character(using random: inout SeededGenerator) -> Character {
    characters.randomElement(using: &random) ?? "a"
  }

  static func text(using random: inout SeededGenerator) -> String {
    String((0..<Int.random(in: 0...8, using: &random)).map { _ in character(using: &random) })
  }

  static func style(using random: inout SeededGenerator) -> TextStyle {
    styles.randomElement(using: &random) ?? .plain
  }

  static func point(around size: Size, using random: inout SeededGenerator) -> Point {
    Point(
      x: .random(in: -4...(size.width + 2), using: &random),
      y: .random(in: -1...size.height, using: &random))
  }

  static func rect(around size: Size, using random: inout SeededGenerator) -> Rect {
    let origin = point(around: size, using: &random)
    return Rect(
      x: origin.x, y: origin.y, width: .random(in: 0...(size.width + 4), using: &random),
      height: .random(in: 0...(size.height + 2), using: &random))
  }
}
