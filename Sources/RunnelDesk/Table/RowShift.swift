import RunnelCollections

/// A mapping from the row numbers before a change of a table to those after it.
struct RowShift {
  /// A run of rows that stay next to each other.
  struct Piece: Equatable {
    /// The row numbers before the change.
    let old: Range<Int>
    /// The number of the first row after the change.
    let new: Int
  }

  /// The runs of kept rows, ordered by old row number. Rows outside of them were removed.
  let pieces: [Piece]
  /// True when the mapping is incomplete: rows outside of `pieces` may have been kept too.
  let isPartial: Bool

  init(_ pieces: [Piece], isPartial: Bool = false) {
    self.pieces = pieces
    self.isPartial = isPartial
  }

  /// Returns the new number of a row; nil if the row was removed.
  func row(_ old: Int) -> Int? {
    let index = firstPiece(endingAfter: old)
    guard index < pieces.count, pieces[index].old.contains(old) else { return nil }
    return pieces[index].new + old - pieces[index].old.lowerBound
  }

  /// Returns the new number of a row, or that of its replacement. A removed row is replaced by the
  /// next kept row, or else by the last row. Returns nil if the table is empty, or if an incomplete
  /// mapping does not contain the row.
  func nearest(_ old: Int, newCount: Int) -> Int? {
    if newCount == 0 { return nil }
    if isPartial { return row(old) }
    let index = firstPiece(endingAfter: old)
    guard index < pieces.count else { return newCount - 1 }
    return pieces[index].new + max(old - pieces[index].old.lowerBound, 0)
  }

  /// Returns the new numbers of the given rows, without the removed ones.
  func rows(_ old: RangeSet<Int>) -> RangeSet<Int> {
    RangeSet(ranges(old).sorted { $0.lowerBound < $1.lowerBound })
  }

  /// Returns true if all given rows were kept in the same order.
  func keeps(_ old: RangeSet<Int>) -> Bool {
    let new = ranges(old)
    return new.reduce(0) { $0 + $1.count } == old.rowCount
      && zip(new, new.dropFirst()).allSatisfy { $0.lowerBound < $1.lowerBound }
  }

  /// Returns the new numbers of the given rows, in their old order.
  private func ranges(_ old: RangeSet<Int>) -> [Range<Int>] {
    var found: [Range<Int>] = []
    for range in old.ranges {
      var index = firstPiece(endingAfter: range.lowerBound)
      while index < pieces.count, pieces[index].old.lowerBound < range.upperBound {
        let piece = pieces[index]
        let both = piece.old.clamped(to: range)
        let start = piece.new + both.lowerBound - piece.old.lowerBound
        if !both.isEmpty { found.append(start..<start + both.count) }
        index += 1
      }
    }
    return found
  }

  private func firstPiece(endingAfter row: Int) -> Int {
    var (low, high) = (0, pieces.count)
    while low < high {
      let middle = (low + high) / 2
      if pieces[middle].old.upperBound > row { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension RowShift {
  /// Creates the mapping for a table that shows one list.
  init<Element>(_ changes: ListChanges<Element>) {
    self.init(Self.pieces(of: changes.pieces))
  }

  /// Returns the runs of elements that a change of a list keeps, ordered by old index.
  static func pieces(of changes: [ListPiece]) -> [Piece] {
    var pieces: [Piece] = []
    for change in changes {
      guard let old = change.old, let new = change.new?.lowerBound else { continue }
      if let last = pieces.last, last.old.upperBound == old.lowerBound,
        last.new + last.old.count == new
      {
        pieces[pieces.count - 1] = Piece(old: last.old.lowerBound..<old.upperBound, new: last.new)
      } else {
        pieces.append(Piece(old: old, new: new))
      }
    }
    return pieces.sorted { $0.old.lowerBound < $1.old.lowerBound }
  }
}

extension [ListPiece] {
  /// The old indices of the elements that were deleted or moved, from the end.
  var departures: [Int] {
    var departures: [Int] = []
    for piece in self {
      switch piece {
      case .deleted(let old), .moved(let old, _, _): departures += old
      case .kept, .updated, .inserted: break
      }
    }
    return departures.sorted(by: >)
  }
}
