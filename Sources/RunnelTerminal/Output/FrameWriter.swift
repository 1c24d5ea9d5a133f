import RunnelDesk
import RunnelText

/// Writes what makes a terminal show another grid than the one it shows.
///
///     var writer = FrameWriter(colors: .full)
///     let size = Size(width: 80, height: 24)
///     var grid = Grid(size)
///     var bytes = writer.bytes(from: nil, to: grid)  // clears the screen
///     let before = grid
///     grid.put("Hello", at: .zero)
///     bytes = writer.bytes(from: before, to: grid)  // Esc [ H Hello
///     show(bytes)
///
/// Only cells that differ are written, and the cursor moves between them in the fewest bytes. Terminals
/// differ in how wide they think some characters are: after each of those the cursor is put where it
/// belongs, and what may have been written over is written again.
///
/// It expects a terminal that does not wrap lines, and to which nobody else writes; else, ``forget()``.
public struct FrameWriter: Sendable {
  /// Whether the terminal is told where a frame begins and ends, so that it shows all of it at once.
  public var isSynchronized = false

  private var bytes: [UInt8] = []
  private var style: StyleWriter
  private var cursor = CursorWriter()
  private var isCursorShown: Bool?

  /// A writer for a terminal with so many colours.
  public init(colors: ColorDepth) {
    style = StyleWriter(colors: colors)
  }

  /// Knows no more where the cursor is, and what style was set: somebody else has written.
  public mutating func forget() {
    style.forget()
    cursor.forget()
    isCursorShown = nil
  }

  /// What to write to a terminal that shows one grid to make it show another one of the same size.
  /// Where it shows anything else, it is cleared first. Nothing where nothing differs.
  public mutating func bytes(from old: Grid?, to new: Grid) -> [UInt8] {
    bytes.removeAll(keepingCapacity: true)
    if isSynchronized { bytes.append(ascii: "\u{1B}[?2026h") }
    let start = bytes.count
    if let old, old.size == new.size {
      writeRows(old, new)
    } else {
      clear()
      writeRows(Grid(new.size), new)
    }
    let drawn = bytes.count - start
    placeCursor(new)
    if bytes.count == start { return [] }
    if isSynchronized {
      bytes.append(ascii: "\u{1B}[?2026l")
    } else if drawn > Self.muchToDraw && isCursorShown == true {
      // Else it could be seen to jump about.
      bytes.insert(contentsOf: Array("\u{1B}[?25l".utf8), at: 0)
      bytes.append(ascii: "\u{1B}[?25h")
    }
    return bytes
  }

  private static let muchToDraw = 512
  /// What takes no more bytes than a jump over it.
  private static let fewCells = 4

  private mutating func clear() {
    forget()
    style.set(.plain, into: &bytes)
    cursor.move(to: .zero, into: &bytes)
    bytes.append(ascii: "\u{1B}[2J")
  }

  private mutating func placeCursor(_ grid: Grid) {
    let place = grid.cursor.flatMap { grid.bounds.contains($0) ? $0 : nil }
    if let place { cursor.move(to: place, into: &bytes) }
    guard isCursorShown != (place != nil) else { return }
    isCursorShown = place != nil
    if place != nil {
      bytes.append(ascii: "\u{1B}[?25h")
    } else {
      bytes.append(ascii: "\u{1B}[?25l")
    }
  }

  // MARK: - Rows

  private mutating func writeRows(_ old: Grid, _ new: Grid) {
    let width = new.size.width
    for y in 0..<new.size.height {
      var x = 0
      // Up to where cells are written although they do not differ.
      var doubtful = 0
      var tail: Int?
      while x < width {
        if x >= doubtful { x = new.nextDifference(from: old, at: x, inRow: y) }
        if x == width { break }
        let blanks = tail ?? blankTail(new, y)
        tail = blanks
        if x >= blanks && erasesTail(old, new, from: x, y, doubtful) { break }
        let cell = new.cells[y * width + x]
        move(to: Point(x: x, y: y), over: new)
        let written = write(cell, at: x, y, old, new)
        doubtful = max(doubtful, written)
        x += max(Int(cell.width), 1)
      }
    }
  }

  /// Where the blanks begin that a row ends in.
  private func blankTail(_ grid: Grid, _ y: Int) -> Int {
    let row = y * grid.size.width
    var x = grid.size.width
    while x > 0 && grid.cells[row + x - 1] == .blank(.plain) { x -= 1 }
    return x
  }

  /// Erases the rest of a row of blanks, if that takes less than to write what differs.
  private mutating func erasesTail(
    _ old: Grid, _ new: Grid, from x: Int, _ y: Int, _ doubtful: Int
  ) -> Bool {
    var end = min(doubtful, new.size.width)
    var next = x
    while next < new.size.width {
      end = max(end, next + 1)
      next = new.nextDifference(from: old, at: next + 1, inRow: y)
    }
    guard end - x > 3 else { return false }
    move(to: Point(x: x, y: y), over: new)
    style.set(.plain, into: &bytes)
    bytes.append(ascii: "\u{1B}[K")
    return true
  }

  /// Moves on, by writing what is on the way where that is as short as a jump over it.
  private mutating func move(to point: Point, over grid: Grid) {
    if let x = cursor.x, cursor.y == point.y, x < point.x, point.x - x <= Self.fewCells {
      let row = point.y * grid.size.width
      let way = grid.cells[(row + x)..<(row + point.x)]
      if way.allSatisfy({ $0.glyph < 0x7F && $0.width == 1 && style.has($0.style) }) {
        for cell in way { bytes.append(UInt8(truncatingIfNeeded: cell.glyph)) }
        return cursor.advance(to: point.x)
      }
    }
    cursor.move(to: point, into: &bytes)
  }

  // MARK: - Cells

  /// Writes a cell. Returns up to which column the terminal may have written over others.
  private mutating func write(
    _ cell: PackedCell, at x: Int, _ y: Int, _ old: Grid, _ new: Grid
  ) -> Int {
    style.set(cell.style, into: &bytes)
    let width = Int(cell.width)
    var end = x + width
    if let scalar = Unicode.Scalar(cell.glyph) {
      bytes.append(scalar)
      advance(to: x + width, of: new)
      // Emoji come in each year, and terminals do not know them all.
      if scalar.value >= 0x1F000 { cursor.forgetColumn() }
    } else {
      let scalars = new.character(of: cell).unicodeScalars
      // One that is drawn too narrow would leave what was there before beside it.
      if width == 2 && old.cells[y * new.size.width + x + 1] != .blank(cell.style) {
        bytes.append(ascii: "  ")
        advance(to: x + 2, of: new)
        cursor.move(to: Point(x: x, y: y), into: &bytes)
      }
      for scalar in scalars { bytes.append(scalar) }
      cursor.forgetColumn()
      end = x + scalars.reduce(0) { $0 + $1.cellWidth }
    }
    return end
  }

  /// At the right edge terminals do not agree where the cursor is.
  private mutating func advance(to x: Int, of grid: Grid) {
    if x < grid.size.width { cursor.advance(to: x) } else { cursor.forgetColumn() }
  }
}
