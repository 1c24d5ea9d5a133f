extension Character {
  /// The number of cells that the character takes on a grid: 2 for wide characters such as
  /// ideographs and emoji, 0 for invisible ones, otherwise 1.
  ///
  /// A control character counts as one cell, because a grid shows a picture of it instead. Where
  /// terminals differ, the larger number is used, because a gap is better than two characters in
  /// one cell.
  public var cellWidth: Int {
    let scalars = unicodeScalars
    let first = scalars[scalars.startIndex]
    if scalars.index(after: scalars.startIndex) == scalars.endIndex { return first.cellWidth }
    if first.isControl { return 1 }
    var sum = 0
    for scalar in scalars {
      sum += scalar == "\u{FE0F}" && first.properties.isEmoji ? 2 : scalar.cellWidth
      if sum >= 2 { return 2 }
    }
    return sum
  }
}

extension StringProtocol {
  /// The number of cells that the text takes in one line of a grid: the sum of its characters.
  public var cellWidth: Int {
    var sum = 0
    for character in self { sum += character.cellWidth }
    return sum
  }

  /// Returns the longest prefix that fits in a number of cells.
  public func prefix(cellWidth limit: Int) -> SubSequence {
    var left = limit
    var end = startIndex
    while end < endIndex {
      left -= self[end].cellWidth
      if left < 0 { break }
      end = index(after: end)
    }
    return self[..<end]
  }
}

extension Unicode.Scalar {
  /// True when a terminal would obey the scalar instead of showing it.
  package var isControl: Bool { value < 0x20 || value >= 0x7F && value < 0xA0 }

  /// The number of cells that the scalar takes on its own.
  package var cellWidth: Int {
    // All lower scalars are letters, signs and control characters of one cell.
    if value < 0x300 { return 1 }
    // These are the accents that combine with letters.
    if value < 0x370 { return 0 }
    let changes = WidthTable.changes
    let key = value << 2 | 3
    var low = 0
    var high = changes.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if changes[middle] <= key { low = middle } else { high = middle }
    }
    return Int(changes[low] & 3)
  }
}
