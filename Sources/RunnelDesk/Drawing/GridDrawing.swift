import RunnelText

extension Grid {
  /// Writes text into a row, from a position on, which may be outside the grid. Only cells in
  /// `clip` change.
  ///
  /// Returns the column after the text. If the text does not fit, that column is outside `clip`.
  @discardableResult
  public mutating func put(
    _ text: some StringProtocol, at point: Point, style: TextStyle = .plain, in clip: Rect? = nil
  ) -> Int {
    put(Substring(text), at: point, style, in: visible(clip))
  }

  /// Fills a rectangle with a character.
  public mutating func fill(
    _ rect: Rect, with character: Character = " ", style: TextStyle = .plain,
    in clip: Rect? = nil
  ) {
    let clip = visible(clip).intersection(rect)
    guard !clip.isEmpty, let (glyph, width) = glyph(for: character) else { return }
    for y in clip.minY..<clip.maxY {
      if width == 1 {
        let row = index(Point(x: 0, y: y))
        separateHalves(at: clip.minX, inRowAt: row)
        separateHalves(at: clip.maxX, inRowAt: row)
        let cell = PackedCell(glyph: glyph, style: style, width: 1)
        for index in (row + clip.minX)..<(row + clip.maxX) { cells[index] = cell }
      } else {
        var x = clip.minX
        while x < clip.maxX {
          put(glyph, width, style, x, y, in: clip)
          x += width
        }
      }
    }
  }

  /// Changes the style of the cells in a rectangle. Both halves of a wide character change
  /// together.
  public mutating func restyle(
    _ rect: Rect, in clip: Rect? = nil, _ change: (inout TextStyle) -> Void
  ) {
    let clip = visible(clip).intersection(rect)
    guard !clip.isEmpty else { return }
    for y in clip.minY..<clip.maxY {
      let row = index(Point(x: 0, y: y))
      let start = cells[row + clip.minX].width == 0 ? clip.minX - 1 : clip.minX
      for x in start..<clip.maxX where cells[row + x].width > 0 {
        change(&cells[row + x].style)
        if cells[row + x].width == 2 { cells[row + x + 1].style = cells[row + x].style }
      }
    }
  }

  private func visible(_ clip: Rect?) -> Rect {
    guard let clip else { return bounds }
    return bounds.intersection(clip)
  }

  private mutating func put(
    _ text: Substring, at point: Point, _ style: TextStyle, in clip: Rect
  ) -> Int {
    guard !clip.isEmpty && point.y >= clip.minY && point.y < clip.maxY else {
      return point.x.plus(text.cellWidth)
    }
    var x = point.x
    // Text beyond the clip is not read.
    let simple = asciiPrefix(of: text, atMost: clip.maxX.minus(x))
    putASCII(text.utf8.prefix(simple), at: Point(x: x, y: point.y), style, in: clip)
    x += simple
    if x >= clip.maxX { return x }
    // Iterating over a string is faster than over a substring.
    for character in String(text[text.utf8.index(text.startIndex, offsetBy: simple)...]) {
      guard let (glyph, width) = glyph(for: character) else { continue }
      put(glyph, width, style, x, point.y, in: clip)
      x += width
      if x >= clip.maxX { break }
    }
    return x
  }

  /// Returns the number of leading bytes that are printable ASCII characters on their own.
  private func asciiPrefix(of text: Substring, atMost limit: Int) -> Int {
    var count = 0
    for byte in text.utf8 {
      // A combining character may follow and join the last one.
      guard byte < 0x7F else { return max(count - 1, 0) }
      guard byte >= 0x20 && count < limit else { return count }
      count += 1
    }
    return count
  }

  /// Writes printable ASCII text: the fast path for most of a screen.
  private mutating func putASCII(
    _ bytes: Substring.UTF8View.SubSequence, at point: Point, _ style: TextStyle, in clip: Rect
  ) {
    let bytes = bytes.dropFirst(max(clip.minX.minus(point.x), 0))
    if bytes.isEmpty { return }
    let row = index(Point(x: 0, y: point.y))
    let start = max(point.x, clip.minX)
    separateHalves(at: start, inRowAt: row)
    var x = start
    for byte in bytes {
      // The second half of an overwritten wide character is blanked.
      if cells[row + x].width == 2 { separateHalves(at: x + 1, inRowAt: row) }
      cells[row + x] = PackedCell(glyph: UInt32(byte), style: style, width: 1)
      x += 1
    }
  }

  /// Returns the glyph and width of a character, or nil if it is invisible.
  private mutating func glyph(for character: Character) -> (glyph: UInt32, width: Int)? {
    let scalars = character.unicodeScalars
    let first = scalars[scalars.startIndex]
    if first.isControl { return (first.picture, 1) }
    let width = character.cellWidth
    if width == 0 { return nil }
    if scalars.index(after: scalars.startIndex) == scalars.endIndex { return (first.value, width) }
    if clusters.count >= 2 * cells.count + 64 { forgetUnusedClusters() }
    return (clusters.glyph(for: character), width)
  }

  private mutating func put(
    _ glyph: UInt32, _ width: Int, _ style: TextStyle, _ x: Int, _ y: Int, in clip: Rect
  ) {
    guard x.plus(width) > clip.minX && x < clip.maxX else { return }
    let row = index(Point(x: 0, y: y))
    let isWhole = x >= clip.minX && x + width <= clip.maxX
    let first = max(x, clip.minX)
    let end = min(x + width, clip.maxX)
    separateHalves(at: first, inRowAt: row)
    separateHalves(at: end, inRowAt: row)
    if isWhole {
      cells[row + x] = PackedCell(glyph: glyph, style: style, width: UInt8(width))
      if width == 2 { cells[row + x + 1] = .secondHalf(style) }
    } else {
      cells[row + first] = .blank(style)
    }
  }

  /// Blanks a wide character that a column's left edge divides.
  private mutating func separateHalves(at x: Int, inRowAt row: Int) {
    guard x > 0 && x < size.width && cells[row + x].width == 0 else { return }
    cells[row + x - 1] = .blank(cells[row + x - 1].style)
    cells[row + x] = .blank(cells[row + x].style)
  }

  /// Removes clusters that no cell uses. They accumulate when a grid is drawn over without being
  /// cleared.
  private mutating func forgetUnusedClusters() {
    let before = clusters
    clusters.removeAll()
    for index in cells.indices where cells[index].isCluster {
      cells[index].glyph = clusters.glyph(for: before[cells[index].glyph])
    }
  }
}

extension Unicode.Scalar {
  /// The symbol that is shown for a control character.
  var picture: UInt32 {
    switch value {
    case ..<0x20: 0x2400 + value
    case 0x7F: 0x2421
    default: 0xFFFD
    }
  }
}
