/// A run of elements that a change of a list treats alike: it keeps, updates, moves, inserts or
/// deletes them. The pieces of a change describe the new list in terms of the old list.
///
/// `from` is a range of indices before the change, `to` the range of the same elements after it.
public enum ListPiece: Equatable, Sendable {
  /// Elements that neither changed nor moved. Kept and updated elements keep their relative order.
  case kept(from: Range<Int>, to: Range<Int>)
  /// Elements that were each replaced in place by a new value.
  case updated(from: Range<Int>, to: Range<Int>)
  /// Elements that moved together. If `isUpdated` is true, each was also replaced by a new value.
  case moved(from: Range<Int>, to: Range<Int>, isUpdated: Bool)
  /// New elements, by new index.
  case inserted(Range<Int>)
  /// Elements that were removed, by old index.
  case deleted(Range<Int>)
}

extension ListPiece {
  /// The indices of the elements before the change, or nil for inserted elements.
  @inlinable public var old: Range<Int>? {
    switch self {
    case .kept(let old, _), .updated(let old, _), .moved(let old, _, _), .deleted(let old): old
    case .inserted: nil
    }
  }

  /// The indices of the elements after the change, or nil for deleted elements.
  @inlinable public var new: Range<Int>? {
    switch self {
    case .kept(_, let new), .updated(_, let new), .moved(_, let new, _), .inserted(let new): new
    case .deleted: nil
    }
  }

  /// True if the elements were in the list before and were replaced by new ones.
  @inlinable public var isUpdated: Bool {
    switch self {
    case .updated: true
    case .moved(_, _, let isUpdated): isUpdated
    case .kept, .inserted, .deleted: false
    }
  }
}

extension ListChanges {
  /// The change as pieces in the order of the new list. Deleted elements are listed before the next
  /// kept or updated element of the old list.
  ///
  ///     shelf.observe { event in
  ///       for case .moved(let old, let new, _) in event.changes?.pieces ?? [] {
  ///         show("\(old) to \(new)")
  ///       }
  ///     }
  ///
  /// Each old index is in one piece, and so is each new index. Neighbours that form one piece are
  /// merged, so equal changes have equal pieces. All other forms of a change, such as ``inserts`` and
  /// ``splices``, are read off the pieces.
  ///
  /// *Complexity*: built at each access, in time proportional to the change.
  @inlinable public var pieces: [ListPiece] {
    switch contents {
    case .single(let change): change.edit.pieces(oldCount: change.oldCount)
    case .many(let changes): changes.runs.pieces(deletes: changes.deletes)
    }
  }
}

// Not inlinable, since each client would compile these functions again.

extension SingleEdit {
  @usableFromInline
  func pieces(oldCount: Int) -> [ListPiece] {
    var pieces: [ListPiece] = []
    pieces.reserveCapacity(4)
    func keep(_ range: Range<Int>, by distance: Int = 0) {
      if range.isEmpty { return }
      let new = range.lowerBound + distance..<range.upperBound + distance
      pieces.append(.kept(from: range, to: new))
    }
    func one(_ index: Int) -> Range<Int> { index..<index + 1 }
    switch self {
    case .lift: keep(0..<oldCount)
    case .insert(let index):
      keep(0..<index)
      pieces.append(.inserted(one(index)))
      keep(index..<oldCount, by: 1)
    case .remove(let index):
      keep(0..<index)
      pieces.append(.deleted(one(index)))
      keep(index + 1..<oldCount, by: -1)
    case .update(let index):
      keep(0..<index)
      pieces.append(.updated(from: one(index), to: one(index)))
      keep(index + 1..<oldCount)
    case .move(let source, let destination, let isUpdated):
      let moved = ListPiece.moved(from: one(source), to: one(destination), isUpdated: isUpdated)
      keep(0..<min(source, destination))
      if source < destination { keep(source + 1..<destination + 1, by: -1) }
      pieces.append(moved)
      if destination < source { keep(destination..<source, by: 1) }
      keep(max(source, destination) + 1..<oldCount)
    }
    return pieces
  }
}

extension Arrangement {
  @usableFromInline
  func pieces(deletes: IndexRuns) -> [ListPiece] {
    var pieces: [ListPiece] = []
    pieces.reserveCapacity(count + deletes.ranges.count)
    var gone = deletes.ranges[...]
    func add(_ run: RunList.Run, _ places: Range<Int>) {
      if run.isNew { return pieces.append(.inserted(places)) }
      if run.isMoved {
        let moved = ListPiece.moved(from: run.origins, to: places, isUpdated: run.isUpdated)
        return pieces.append(moved)
      }
      while let range = gone.first, range.lowerBound < run.origin {
        pieces.append(.deleted(range))
        gone.removeFirst()
      }
      pieces.append(
        run.isUpdated
          ? .updated(from: run.origins, to: places) : .kept(from: run.origins, to: places))
    }
    // Edits leave neighbouring runs that form one piece.
    var last = RunList.Run(origin: RunList.Run.new, count: 0)
    var end = 0
    forEachRun { run, places in
      if last.count > 0, last.isOnePiece(with: run) {
        last.count += run.count
      } else {
        if last.count > 0 { add(last, end - last.count..<end) }
        last = run
      }
      end = places.upperBound
    }
    if last.count > 0 { add(last, end - last.count..<end) }
    for range in gone { pieces.append(.deleted(range)) }
    return pieces
  }
}

extension RunList.Run {
  fileprivate func isOnePiece(with next: RunList.Run) -> Bool {
    isMoved == next.isMoved && isUpdated == next.isUpdated
      && (isNew ? next.isNew : next.origin == origin + count)
  }
}
