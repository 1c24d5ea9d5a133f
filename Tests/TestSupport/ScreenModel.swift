import RunnelDesk
import RunnelText
import Testing

/// A small terminal emulator. It interprets the output of a ``FrameWriter`` and records anything
/// else as a mistake.
package struct ScreenModel {
  /// The width that the terminal gives to characters of several scalars.
  package enum Widths {
    /// The width of the whole character, as in the grid.
    case clusters
    /// The width of each scalar, as in older terminals: a family emoji is four people.
    case scalars
  }

  private(set) var rows: [[Cell]]
  private(set) var cursor = Point.zero
  private(set) var isCursorShown = true
  private(set) var isSynchronizing = false
  private(set) var mistakes: [String] = []
  /// The addresses of the links on the screen.
  package private(set) var links: [Point: String] = [:]
  /// The link that is open.
  package private(set) var link: String?

  private let size: Size
  private let widths: Widths
  private var style = TextStyle.plain
  /// The position of the last character if a scalar may still join it.
  private var joinable: Point?

  package init(_ size: Size, widths: Widths = .clusters, noise: Character = "#") {
    self.size = size
    self.widths = widths
    let cell = Cell(noise, style: TextStyle(foreground: .red, effects: .reverse))
    rows = Array(repeating: Array(repeating: cell, count: size.width), count: size.height)
  }

  package mutating func obey(_ bytes: [UInt8]) {
    var scalars = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)[...]
    while let scalar = scalars.popFirst() {
      let before = joinable
      joinable = nil
      switch scalar {
      case "\u{1B}": sequence(&scalars)
      case "\r": cursor.x = 0
      case "\n":
        if cursor.y == size.height - 1 { mistakes.append("scrolled") }
        cursor.y = min(cursor.y + 1, size.height - 1)
      case "\u{8}": cursor.x = max(cursor.x - 1, 0)
      case let control where control.value < 0x20: mistakes.append("control \(control.value)")
      default:
        joinable = before
        print(scalar)
      }
    }
  }

  // MARK: - Characters

  private mutating func print(_ scalar: Unicode.Scalar) {
    if let place = joinable {
      let joined = String(rows[place.y][place.x].character) + String(Character(scalar))
      let isOne = joined.count == 1
      let width = Character(scalar).cellWidth
      if isOne && (widths == .clusters || width == 0), let character = joined.first {
        let before = rows[place.y][place.x].width
        let wide = widths == .clusters ? max(character.cellWidth, before) : before
        put(character, wide, at: place)
        cursor = Point(x: min(place.x + wide, size.width - 1), y: place.y)
        return
      }
    }
    let width = Character(scalar).cellWidth
    guard width > 0 else { return }
    // Without wrapping, characters that do not fit end up in the last column.
    let place = Point(x: min(cursor.x, size.width - width), y: cursor.y)
    guard place.x >= 0 else { return }
    put(Character(scalar), width, at: place)
    joinable = place
    cursor.x = min(place.x + width, size.width - 1)
  }

  private mutating func put(_ character: Character, _ width: Int, at place: Point) {
    var row = rows[place.y]
    for x in place.x..<min(place.x + width, size.width) {
      if row[x].width == 2 && x + 1 < size.width { row[x + 1] = Cell(" ", style: row[x].style) }
      if row[x].width == 0 { row[x - 1] = Cell(" ", style: row[x].style) }
      links[Point(x: x, y: place.y)] = link
      row[x] = Cell(" ", style: style, width: 0)
    }
    row[place.x] = Cell(character, style: style, width: width)
    rows[place.y] = row
  }

  private mutating func erase(_ range: Range<Int>, inRow y: Int) {
    // Not all terminals erase with the current colours, so the writer must not rely on that.
    if style != .plain { mistakes.append("erased in style") }
    if let x = range.first, rows[y][x].width == 0 {
      rows[y][x - 1] = Cell(" ", style: rows[y][x - 1].style)
    }
    if link != nil { mistakes.append("erased in a link") }
    for x in range {
      rows[y][x] = .blank
      links[Point(x: x, y: y)] = nil
    }
  }

  // MARK: - Sequences

  private mutating func sequence(_ scalars: inout ArraySlice<Unicode.Scalar>) {
    let kind = scalars.popFirst()
    if kind == "]" { return setLink(&scalars) }
    guard kind == "[" else { return mistakes.append("no bracket") }
    var parameters = ""
    while let scalar = scalars.first, "0123456789;?".unicodeScalars.contains(scalar) {
      parameters.unicodeScalars.append(scalar)
      scalars.removeFirst()
    }
    guard let final = scalars.popFirst() else { return mistakes.append("no end") }
    let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false).map {
      Int($0)
    }
    let first = (numbers.first ?? nil) ?? 1
    switch (final, parameters) {
    case ("H", _):
      let column = (numbers.count > 1 ? numbers[1] : nil) ?? 1
      cursor = Point(x: min(column, size.width) - 1, y: min(first, size.height) - 1)
    case ("A", _): cursor.y = max(cursor.y - first, 0)
    case ("B", _): cursor.y = min(cursor.y + first, size.height - 1)
    case ("C", _): cursor.x = min(cursor.x + first, size.width - 1)
    case ("D", _): cursor.x = max(cursor.x - first, 0)
    case ("K", ""): erase(cursor.x..<size.width, inRow: cursor.y)
    case ("J", "2"): for y in 0..<size.height { erase(0..<size.width, inRow: y) }
    case ("m", _): setStyle(numbers.map { $0 ?? 0 })
    case ("h", "?25"), ("l", "?25"): isCursorShown = final == "h"
    case ("h", "?2026"), ("l", "?2026"): isSynchronizing = final == "h"
    default: mistakes.append("Esc [ \(parameters) \(final)")
    }
  }

  /// Obeys `Esc ] 8 ; ; ADDRESS Esc \`.
  private mutating func setLink(_ scalars: inout ArraySlice<Unicode.Scalar>) {
    var text = ""
    while let scalar = scalars.popFirst(), scalar != "\u{1B}" { text.unicodeScalars.append(scalar) }
    guard scalars.popFirst() == "\\", text.hasPrefix("8;;") else {
      return mistakes.append("string \(text)")
    }
    link = text == "8;;" ? nil : String(text.dropFirst(3))
  }

  private mutating func setStyle(_ numbers: [Int]) {
    var rest = numbers[...]
    while let number = rest.popFirst() {
      switch number {
      case 0: style = .plain
      case 1: style.effects.insert(.bold)
      case 2: style.effects.insert(.dim)
      case 3: style.effects.insert(.italic)
      case 4: style.effects.insert(.underline)
      case 7: style.effects.insert(.reverse)
      case 9: style.effects.insert(.strike)
      case 22: style.effects.subtract([.bold, .dim])
      case 23: style.effects.remove(.italic)
      case 24: style.effects.remove(.underline)
      case 27: style.effects.remove(.reverse)
      case 29: style.effects.remove(.strike)
      case 30...39, 90...97: style.foreground = color(number, &rest)
      case 40...49, 100...107: style.background = color(number - 10, &rest)
      default: mistakes.append("style \(number)")
      }
    }
  }

  private func color(_ number: Int, _ rest: inout ArraySlice<Int>) -> Color {
    switch number {
    case 39: return .standard
    case 30...37: return .palette(UInt8(number - 30))
    case 90...97: return .palette(UInt8(number - 82))
    default:
      let kind = rest.popFirst()
      let parts = (0..<(kind == 5 ? 1 : 3)).map { _ in UInt8(rest.popFirst() ?? 0) }
      return kind == 5 ? .palette(parts[0]) : .rgb(parts[0], parts[1], parts[2])
    }
  }
}

extension ScreenModel {
  /// Expects that the screen shows a grid, except for excluded cells, and that no mistake occurred.
  package func expectToShow(
    _ grid: Grid, _ occasion: String, where counts: (Point) -> Bool = { _ in true }
  ) {
    #expect(mistakes == [] && link == nil, "\(occasion)")
    for y in 0..<grid.size.height {
      for x in 0..<grid.size.width where counts(Point(x: x, y: y)) {
        let expected = grid[Point(x: x, y: y)]
        let (address, found) = (grid.link(at: Point(x: x, y: y)), links[Point(x: x, y: y)])
        if found != address {
          Issue.record("\(occasion), (\(x), \(y)): link \(found ?? ""), not \(address ?? "")")
        }
        if rows[y][x] != expected {
          Issue.record("\(occasion), (\(x), \(y)): \(rows[y][x]), not \(expected)")
        }
      }
    }
    let place = grid.cursor.flatMap { grid.bounds.contains($0) ? $0 : nil }
    #expect(isCursorShown == (place != nil), "\(occasion)")
    if let place { #expect(cursor == place, "\(occasion)") }
    #expect(!isSynchronizing, "\(occasion)")
  }
}
