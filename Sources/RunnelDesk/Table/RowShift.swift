import RunnelCollections

/// Where the rows of a table are after a change.
struct RowShift {
  /// Rows that have stayed beside each other.
  struct Piece: Equatable {
    /// Where they were.
    let old: Range<Int>
    /// Where the first of them is.
    let new: Int
  }

  /// By where they were. Rows that are in none of them are gone.
  let pieces: [Piece]
  /// Whether they are not all that has stayed, but what is known of that.
  let isPartial: Bool

  /// These rows have stayed, and no others, or others of which nobody knows.
  init(_ pieces: [Piece], isPartial: Bool = false) {
    self.pieces = pieces
    self.isPartial = isPartial
  }

  /// Where a row is; nil if it is gone.
  func row(_ old: Int) -> Int? {
    let index = firstPiece(endingBehind: old)
    guard index < pieces.count, pieces[index].old.contains(old) else { return nil }
    return pieces[index].new + old - pieces[index].old.lowerBound
  }

  /// Where a row is; if it is gone, what has taken its place: what came behind it, else the last one. Nil
  /// if there are none, or nothing is known.
  func nearest(_ old: Int, newCount: Int) -> Int? {
    if newCount == 0 { return nil }
    if isPartial { return row(old) }
    let index = firstPiece(endingBehind: old)
    guard index < pieces.count else { return newCount - 1 }
    return pieces[index].new + max(old - pieces[index].old.lowerBound, 0)
  }

  /// Where some rows are.
  func rows(_ old: RangeSet<Int>) -> RangeSet<Int> {
    RangeSet(ranges(old).sorted { $0.lowerBound < $1.lowerBound })
  }

  /// Whether of some rows none is gone, and their order is what it was.
  func keeps(_ old: RangeSet<Int>) -> Bool {
    let new = ranges(old)
    return new.reduce(0) { $0 + $1.count } == old.rowCount
      && zip(new, new.dropFirst()).allSatisfy { $0.lowerBound < $1.lowerBound }
  }

  /// Where some rows are, in their old order.
  private func ranges(_ old: RangeSet<Int>) -> [Range<Int>] {
    var found: [Range<Int>] = []
    for range in old.ranges {
      var index = firstPiece(endingBehind: range.lowerBound)
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

  private func firstPiece(endingBehind row: Int) -> Int {
    var (low, high) = (0, pieces.count)
    while low < high {
      let middle = (low + high) / 2
      if pieces[middle].old.upperBound > row { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension RowShift {
  /// A change of a list that is all there is.
  init<Element>(_ changes: ListChanges<Element>) {
    self.init(Self.pieces(of: changes))
  }

  /// What has stayed in a list.
  static func pieces<Element>(of changes: ListChanges<Element>) -> [Piece] {
    pieces(
      oldCount: changes.oldCount, deletes: changes.deletes, moves: changes.moves,
      inserts: changes.inserts)
  }

  static func pieces(
    oldCount: Int, deletes: IndexRuns, moves: [ListMove], inserts: IndexRuns
  ) -> [Piece] {
    var departures = deletes.ranges
    var arrivals = inserts.ranges
    if !moves.isEmpty {
      departures += moves.map { $0.from..<$0.from + 1 }
      departures.sort { $0.lowerBound < $1.lowerBound }
      arrivals += moves.map { $0.to..<$0.to + 1 }
      arrivals.sort { $0.lowerBound < $1.lowerBound }
    }
    return pieces(oldCount: oldCount, departures: departures, arrivals: arrivals, moves: moves)
  }

  private static func pieces(
    oldCount: Int, departures: [Range<Int>], arrivals: [Range<Int>], moves: [ListMove]
  ) -> [Piece] {
    var pieces: [Piece] = []
    var waiting = arrivals[...]
    var (old, new) = (0, 0)
    // What lies between two departures fills up the room between the arrivals.
    for departure in departures + [oldCount..<oldCount] {
      while old < departure.lowerBound {
        while let arrival = waiting.first, arrival.lowerBound <= new {
          new += arrival.count
          waiting.removeFirst()
        }
        let room = waiting.first.map { $0.lowerBound - new } ?? Int.max
        let count = min(departure.lowerBound - old, room)
        pieces.append(Piece(old: old..<old + count, new: new))
        old += count
        new += count
      }
      old = departure.upperBound
    }
    pieces += moves.map { Piece(old: $0.from..<$0.from + 1, new: $0.to) }
    if !moves.isEmpty { pieces.sort { $0.old.lowerBound < $1.old.lowerBound } }
    return pieces
  }
}
