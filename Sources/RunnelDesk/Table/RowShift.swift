import RunnelCollections

/// A lookup in the pieces of a change of a table's rows, by old row number.
///
/// A reset of a table that finds only some rows again is not a list of pieces, because nothing is
/// known of the other rows. It is described by the pieces of these rows and ``isPartial``.
struct RowShift {
  /// The pieces of rows that exist before and after the change, ordered by old row number.
  private let pieces: [ListPiece]
  /// True when rows outside of ``pieces`` may have been kept too. Otherwise they were removed.
  private let isPartial: Bool

  init(_ pieces: [ListPiece], isPartial: Bool = false) {
    let kept = pieces.filter { $0.new != nil && $0.old?.isEmpty == false }
    self.pieces = kept.sorted { ($0.old?.lowerBound ?? 0) < ($1.old?.lowerBound ?? 0) }
    self.isPartial = isPartial
  }

  /// Creates the lookup for a table that shows one list.
  init(_ changes: ListChanges<some Any>) {
    self.init(changes.pieces)
  }

  /// Returns the new number of a row; nil if the row was removed.
  func row(_ old: Int) -> Int? {
    let piece = pieces[firstPiece(endingAfter: old)...].first
    return piece.flatMap { $0.new(of: old..<old + 1)?.lowerBound }
  }

  /// Returns the new number of a row, or that of its replacement. A removed row is replaced by the
  /// next kept row, or else by the last row. Returns nil if the table is empty, or if an incomplete
  /// mapping does not contain the row.
  func nearest(_ old: Int, newCount: Int) -> Int? {
    if newCount == 0 { return nil }
    if isPartial { return row(old) }
    let next = pieces[firstPiece(endingAfter: old)...].first?.new?.lowerBound
    return row(old) ?? next ?? newCount - 1
  }

  /// Returns the new numbers of the given rows, without the removed ones.
  func rows(_ old: RangeSet<Int>) -> RangeSet<Int> {
    RangeSet(moved(old).map { $0.rows }.sorted { $0.lowerBound < $1.lowerBound })
  }

  /// Returns true if all given rows were kept in the same order, and none of them was updated.
  func keeps(_ old: RangeSet<Int>) -> Bool {
    let new = moved(old)
    return new.reduce(0) { $0 + $1.rows.count } == old.rowCount
      && new.allSatisfy { !$0.isUpdated }
      && zip(new, new.dropFirst()).allSatisfy { $0.rows.lowerBound < $1.rows.lowerBound }
  }

  /// Returns the new numbers of the given rows, in their old order.
  private func moved(_ old: RangeSet<Int>) -> [(rows: Range<Int>, isUpdated: Bool)] {
    old.ranges.flatMap { range in
      pieces[firstPiece(endingAfter: range.lowerBound)...]
        .prefix { ($0.old?.lowerBound ?? 0) < range.upperBound }
        .compactMap { piece in piece.new(of: range).map { ($0, piece.isUpdated) } }
    }
  }

  private func firstPiece(endingAfter row: Int) -> Int {
    pieces.indices.partitioningIndex { index in
      pieces[index].old.map { $0.upperBound > row } ?? false
    }
  }
}

extension ListPiece {
  /// Returns the new indices of the elements of the piece that are in a range of old indices; nil
  /// if there are none.
  fileprivate func new(of range: Range<Int>) -> Range<Int>? {
    guard let old, let new else { return nil }
    let both = old.clamped(to: range)
    if both.isEmpty { return nil }
    let start = new.lowerBound + both.lowerBound - old.lowerBound
    return start..<start + both.count
  }
}

extension [ListPiece] {
  /// The old indices of the elements that were deleted or moved, from the end.
  var departures: [(index: Int, isMoved: Bool)] {
    var departures: [(index: Int, isMoved: Bool)] = []
    for piece in self {
      switch piece {
      case .deleted(let old): departures += old.map { ($0, false) }
      case .moved(let old, _, _): departures += old.map { ($0, true) }
      case .kept, .updated, .inserted: break
      }
    }
    return departures.sorted { $0.index > $1.index }
  }
}
