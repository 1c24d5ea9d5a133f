import RunnelDesk
import RunnelText

/// A writer of the bytes that change the contents of a terminal from one grid to another.
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
/// Only differing cells are written, and the cursor moves between them in the fewest bytes.
/// Terminals disagree on the width of some characters. After such a character the cursor is
/// positioned explicitly, and cells that may have been overwritten are written again.
///
/// The terminal must not wrap lines. Call ``forget()`` after other output to the terminal.
public struct FrameWriter: Sendable {
  /// True if frames are marked, so that the terminal shows each one at once (synchronised updates).
  public var isSynchronized = false

  private var bytes: [UInt8] = []
  private var style: StyleWriter
  private var cursor = CursorWriter()
  private var isCursorShown: Bool?
  /// The address of the link to which written characters belong.
  private var link: String?

  /// Creates a writer for a terminal with a colour depth. Without wavy lines, misspelled words get plain
  /// ones.
  public init(colors: ColorDepth, hasWavyLines: Bool = false) {
    style = StyleWriter(colors: colors, hasWavyLines: hasWavyLines)
  }

  /// Discards the known cursor position and style, after other output to the terminal.
  public mutating func forget() {
    style.forget()
    cursor.forget()
    isCursorShown = nil
  }

  /// Returns the bytes that change a terminal from showing `old` to showing `new`; empty if they
  /// are equal.
  ///
  /// If `old` is nil or has another size, the screen is cleared first.
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
    setLink(nil)
    let drawn = bytes.count - start
    placeCursor(new)
    if bytes.count == start { return [] }
    if isSynchronized {
      bytes.append(ascii: "\u{1B}[?2026l")
    } else if drawn > Self.cursorHidingThreshold && isCursorShown == true {
      // Hide the cursor while drawing, or it would be seen to jump.
      bytes.insert(contentsOf: Array("\u{1B}[?25l".utf8), at: 0)
      bytes.append(ascii: "\u{1B}[?25h")
    }
    return bytes
  }

  private static let cursorHidingThreshold = 512
  /// The number of cells that take no more bytes to rewrite than to skip.
  private static let rewriteLimit = 4

  private mutating func clear() {
    forget()
    link = nil
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
      // The column before which cells are rewritten although they are equal.
      var rewriteEnd = 0
      var tail: Int?
      while x < width {
        if x >= rewriteEnd { x = new.nextDifference(from: old, at: x, inRow: y) }
        if x == width { break }
        let blanks = tail ?? blankTail(new, y)
        tail = blanks
        if x >= blanks && erasesTail(old, new, from: x, y, rewriteEnd) { break }
        let cell = new.cells[y * width + x]
        move(to: Point(x: x, y: y), over: new)
        let written = write(cell, at: x, y, old, new)
        rewriteEnd = max(rewriteEnd, written)
        x += max(Int(cell.width), 1)
      }
    }
  }

  /// Returns the column at which the trailing blanks of a row begin.
  private func blankTail(_ grid: Grid, _ y: Int) -> Int {
    let row = y * grid.size.width
    var x = grid.size.width
    while x > 0 && grid.cells[row + x - 1] == .blank(.plain) { x -= 1 }
    return x
  }

  /// Erases the rest of a row of blanks if that is shorter than writing the differences. Returns
  /// true if it did.
  private mutating func erasesTail(
    _ old: Grid, _ new: Grid, from x: Int, _ y: Int, _ rewriteEnd: Int
  ) -> Bool {
    var end = min(rewriteEnd, new.size.width)
    var next = x
    while next < new.size.width {
      end = max(end, next + 1)
      next = new.nextDifference(from: old, at: next + 1, inRow: y)
    }
    guard end - x > 3 else { return false }
    move(to: Point(x: x, y: y), over: new)
    style.set(.plain, into: &bytes)
    setLink(nil)
    bytes.append(ascii: "\u{1B}[K")
    return true
  }

  /// Moves the cursor, by rewriting the cells in between if that is as short as a jump.
  private mutating func move(to point: Point, over grid: Grid) {
    if let x = cursor.x, cursor.y == point.y, x < point.x, point.x - x <= Self.rewriteLimit {
      let row = point.y * grid.size.width
      let way = grid.cells[(row + x)..<(row + point.x)]
      let isPlain = way.allSatisfy {
        $0.glyph < 0x7F && $0.width == 1 && $0.link == 0 && style.has($0.style)
      }
      if isPlain && link == nil {
        for cell in way { bytes.append(UInt8(truncatingIfNeeded: cell.glyph)) }
        return cursor.advance(to: point.x)
      }
    }
    cursor.move(to: point, into: &bytes)
  }

  // MARK: - Cells

  /// Writes a cell. Returns the column before which the terminal may have overwritten cells.
  private mutating func write(
    _ cell: PackedCell, at x: Int, _ y: Int, _ old: Grid, _ new: Grid
  ) -> Int {
    style.set(cell.style, into: &bytes)
    if cell.link != 0 || link != nil { setLink(new.link(of: cell)) }
    let width = Int(cell.width)
    var end = x + width
    if let scalar = Unicode.Scalar(cell.glyph) {
      bytes.append(scalar)
      advance(to: x + width, of: new)
      // New emoji appear every year, and terminals do not know all of them.
      if scalar.value >= 0x1F000 { cursor.forgetColumn() }
    } else {
      let scalars = new.character(of: cell).unicodeScalars
      // If the terminal draws the character too narrow, the old second cell would remain visible.
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

  /// Begins and ends links (OSC 8). No link stays open at the end of a frame.
  private mutating func setLink(_ address: String?) {
    if address == link { return }
    link = address
    bytes.append(ascii: "\u{1B}]8;;")
    bytes += Array((address ?? "").utf8)
    bytes.append(ascii: "\u{1B}\\")
  }

  /// Advances the known column. After the last column, terminals disagree on the position of the
  /// cursor.
  private mutating func advance(to x: Int, of grid: Grid) {
    if x < grid.size.width { cursor.advance(to: x) } else { cursor.forgetColumn() }
  }
}
