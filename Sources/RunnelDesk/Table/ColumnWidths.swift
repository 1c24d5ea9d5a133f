extension [TableColumn] {
  /// Where each of them begins and ends in so many cells, with a free one between two of them.
  func ranges(in width: Int) -> [Range<Int>] {
    var start = 0
    return lengths(in: width).map { length in
      // From the first one that there is no room for, they are not to be seen.
      let begin = Swift.min(start, width)
      let end = Swift.min(start + length, width)
      start += length + 1
      return begin..<Swift.max(begin, end)
    }
  }

  /// How wide each of them is in so many cells, whether there is room for it or not.
  func lengths(in width: Int) -> [Int] {
    let leasts = map(\.width.least)
    var left = Swift.max(leasts.reduce(width - Swift.max(count - 1, 0), -), 0)
    var shares = map(\.width.shares)
    if shares.allSatisfy({ $0 == 0 }) { shares = map { $0.width.isFlexible ? 1 : 0 } }
    var others = shares.reduce(0, +)
    return zip(leasts, shares).map { least, share in
      if share == 0 { return least }
      // What is left when the last one comes is its own: no cell gets lost.
      let extra = others.dividingFullWidth(left.multipliedFullWidth(by: share)).quotient
      left -= extra
      others -= share
      return least + extra
    }
  }

  /// These columns where one of them is as wide as it was made, as far as that can be: what it gets, the next
  /// one gives. Others stay as they are.
  func resizing(_ index: Int, to length: Int, in width: Int) -> [TableColumn] {
    var lengths = lengths(in: width)
    let present = lengths[index]
    let next = index + 1 < count ? index + 1 : nil
    let most =
      if let next {
        present + lengths[next] - self[next].leastByHand
      } else {
        width - lengths[..<index].reduce(index, +)
      }
    // What is too narrow already need not be made wider.
    let least = Swift.min(self[index].leastByHand, present)
    lengths[index] = Swift.min(Swift.max(length, least), Swift.max(most, present))
    if let next { lengths[next] -= lengths[index] - present }
    let resized = zip(self, lengths).map { $0.resized(to: $1) }
    // Columns that share what is left take it all, and get nothing where nothing is left.
    return resized.lengths(in: width) == lengths ? resized : self
  }
}

extension TableColumn {
  /// As wide as it was made. What it shares with others is shared so from then on, also when there is more.
  fileprivate func resized(to length: Int) -> TableColumn {
    var column = self
    switch width {
    case .fixed: column.width = .fixed(length)
    case .flexible(let minimum, _):
      column.width = .flexible(minimum: minimum, shares: length - width.least)
    }
    return column
  }

  /// How narrow a person can make it.
  fileprivate var leastByHand: Int {
    let minimum = Swift.min(Swift.max(minimumWidth, 1), Width.most)
    return width.isFlexible ? Swift.max(minimum, width.least) : minimum
  }
}

extension TableColumn.Width {
  /// More than a screen ever has is as good as that.
  fileprivate static let most = 100_000

  /// How many cells it is at least.
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
