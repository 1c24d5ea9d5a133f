extension Character {
  /// How many cells it takes on a grid: 2 for wide ones such as ideographs and emoji, 0 for what is
  /// not seen, else 1.
  ///
  /// Control characters count as one, because a grid shows a picture of them instead. Where terminals
  /// differ, the larger number is taken: a gap is better than a character over another one.
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
  /// How many cells it takes on a grid in one line: the sum of its characters.
  public var cellWidth: Int {
    var sum = 0
    for character in self { sum += character.cellWidth }
    return sum
  }

  /// As many of its characters from the first on as so many cells have room for.
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
  /// Whether terminals would obey it instead of showing it.
  package var isControl: Bool { value < 0x20 || value >= 0x7F && value < 0xA0 }

  /// How many cells it takes by itself.
  package var cellWidth: Int {
    // Before that there is nothing but letters and control characters.
    if value < 0x300 { return 1 }
    // The accents that stand over letters.
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
