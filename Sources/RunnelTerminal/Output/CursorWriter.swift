import RunnelDesk

/// A writer of cursor movements that take the fewest bytes.
struct CursorWriter {
  /// The column of the cursor; nil if it is unknown.
  private(set) var x: Int?
  /// The row of the cursor; nil if it is unknown.
  private(set) var y: Int?

  mutating func forget() {
    (x, y) = (nil, nil)
  }

  /// Marks the column as unknown, after output of uncertain width.
  mutating func forgetColumn() {
    x = nil
  }

  /// Sets the column to which output has moved the cursor.
  mutating func advance(to x: Int) {
    self.x = x
  }

  mutating func move(to point: Point, into bytes: inout [UInt8]) {
    if x == point.x && y == point.y { return }
    defer { (x, y) = (point.x, point.y) }
    let absolute =
      point.x == 0
      ? (point.y == 0 ? 3 : 3 + digits(point.y + 1))
      : 4 + digits(point.y + 1) + digits(point.x + 1)
    if let y, let down = Self.verticalCost(point.y - y) {
      // Move horizontally from the current column, or from column 0, which a carriage return
      // reaches.
      if let x, down + Self.horizontalCost(from: x, to: point.x) < absolute {
        Self.moveVertically(point.y - y, into: &bytes)
        return Self.moveHorizontally(from: x, to: point.x, into: &bytes)
      }
      if down + 1 + Self.horizontalCost(from: 0, to: point.x) < absolute {
        bytes.append(0x0D)
        Self.moveVertically(point.y - y, into: &bytes)
        return Self.moveHorizontally(from: 0, to: point.x, into: &bytes)
      }
    }
    bytes.append(ascii: "\u{1B}[")
    if point.y > 0 || point.x > 0 { bytes.append(decimal: point.y + 1) }
    if point.x > 0 {
      bytes.append(UInt8(ascii: ";"))
      bytes.append(decimal: point.x + 1)
    }
    bytes.append(UInt8(ascii: "H"))
  }

  // MARK: - Vertical movement

  /// The numbers of rows that line feeds cover in fewer bytes than a sequence. In raw mode they
  /// keep the column.
  private static let lineFeedRange = 1...3

  private static func verticalCost(_ rows: Int) -> Int? {
    if rows == 0 { return 0 }
    return lineFeedRange.contains(rows) ? rows : sequenceCost(abs(rows))
  }

  private static func moveVertically(_ rows: Int, into bytes: inout [UInt8]) {
    if rows == 0 { return }
    if lineFeedRange.contains(rows) {
      for _ in 0..<rows { bytes.append(0x0A) }
    } else {
      bytes.appendSequence(abs(rows), rows > 0 ? UInt8(ascii: "B") : UInt8(ascii: "A"))
    }
  }

  // MARK: - Horizontal movement

  private static func horizontalCost(from start: Int, to end: Int) -> Int {
    if end == start { return 0 }
    if end == 0 { return 1 }
    if end > start { return sequenceCost(end - start) }
    return min(start - end, sequenceCost(start - end), 1 + sequenceCost(end))
  }

  private static func moveHorizontally(
    from start: Int, to end: Int, into bytes: inout [UInt8]
  ) {
    if end == start { return }
    let left = start - end
    if end == 0 {
      bytes.append(0x0D)
    } else if left < 0 {
      bytes.appendSequence(-left, UInt8(ascii: "C"))
    } else if left <= min(sequenceCost(left), 1 + sequenceCost(end)) {
      for _ in 0..<left { bytes.append(0x08) }
    } else if sequenceCost(left) <= 1 + sequenceCost(end) {
      bytes.appendSequence(left, UInt8(ascii: "D"))
    } else {
      bytes.append(0x0D)
      bytes.appendSequence(end, UInt8(ascii: "C"))
    }
  }

  private static func sequenceCost(_ number: Int) -> Int {
    number == 1 ? 3 : 3 + digits(number)
  }
}
