extension [TableColumn] {
  /// Returns the cell range of each column in a table of the given width. One free cell separates
  /// two columns.
  func ranges(in width: Int) -> [Range<Int>] {
    var start = 0
    return zip(self, lengths(in: width)).map { column, length in
      // A column that begins beyond the width gets an empty range.
      let begin = Swift.min(start, width)
      let end = Swift.min(start + length, width)
      if column.isShown(in: width) { start += length + 1 }
      return begin..<Swift.max(begin, end)
    }
  }

  /// Returns the width of each column in cells. The sum can exceed `width`.
  func lengths(in width: Int) -> [Int] {
    let shown = map { $0.isShown(in: width) }
    let minimums = zip(self, shown).map { $1 ? $0.width.least : 0 }
    let gaps = Swift.max(shown.count { $0 } - 1, 0)
    var cellsLeft = Swift.max(minimums.reduce(width - gaps, -), 0)
    var shares = zip(self, shown).map { $1 ? $0.width.shares : 0 }
    if shares.allSatisfy({ $0 == 0 }) {
      shares = zip(self, shown).map { $1 && $0.width.isFlexible ? 1 : 0 }
    }
    var sharesLeft = shares.reduce(0, +)
    return zip(minimums, shares).map { least, share in
      if share == 0 { return least }
      // The last column takes all that remains, so no cell is lost to rounding.
      let extra = sharesLeft.dividingFullWidth(cellsLeft.multipliedFullWidth(by: share)).quotient
      cellsLeft -= extra
      sharesLeft -= share
      return least + extra
    }
  }

  /// Returns the columns after one of them is resized as far as possible. The next column gives or
  /// takes the difference. The other columns keep their widths.
  func resizing(_ index: Int, to length: Int, in width: Int) -> [TableColumn] {
    var lengths = lengths(in: width)
    let current = lengths[index]
    let next = indices.first { $0 > index && self[$0].isShown(in: width) }
    let most =
      if let next {
        current + lengths[next] - self[next].userMinimum
      } else {
        width - lengths[..<index].reduce(index, +)
      }
    // A column that is narrower than its minimum already need not grow.
    let least = Swift.min(self[index].userMinimum, current)
    lengths[index] = Swift.min(Swift.max(length, least), Swift.max(most, current))
    if let next { lengths[next] -= lengths[index] - current }
    let resized = zip(self, lengths).map { $0.isShown(in: width) ? $0.resized(to: $1) : $0 }
    // Flexible columns share all free space. If shares cannot express the widths, nothing changes.
    return resized.lengths(in: width) == lengths ? resized : self
  }
}

extension TableColumn {
  fileprivate func isShown(in width: Int) -> Bool { width >= minimumTableWidth }

  /// Returns the column with a new width. The excess over a flexible column's minimum becomes its
  /// number of shares, so its proportion is kept when the table grows.
  fileprivate func resized(to length: Int) -> TableColumn {
    var column = self
    switch width {
    case .fixed: column.width = .fixed(length)
    case .flexible(let minimum, _):
      column.width = .flexible(minimum: minimum, shares: length - width.least)
    }
    return column
  }

  fileprivate var userMinimum: Int {
    let minimum = Swift.min(Swift.max(minimumWidth, 1), Width.most)
    return width.isFlexible ? Swift.max(minimum, width.least) : minimum
  }
}

extension TableColumn.Width {
  /// The upper limit of widths and shares, more than any screen has cells.
  fileprivate static let most = 100_000

  /// The smallest width of the column in cells.
  fileprivate var least: Int {
    switch self {
    case .fixed(let width): min(max(width, 0), Self.most)
    case .flexible(let minimum, _): min(max(minimum, 0), Self.most)
    }
  }

  fileprivate var shares: Int {
    switch self {
    case .fixed: 0
    case .flexible(_, let shares): min(max(shares, 0), Self.most)
    }
  }

  fileprivate var isFlexible: Bool {
    switch self {
    case .fixed: false
    case .flexible: true
    }
  }
}
