/// A run of elements with the same fate in a change of a list. All pieces together describe the new
/// list in terms of the old one.
///
/// `from` is a range of indices before the change, `to` the range of the same elements after it.
public enum ListPiece: Equatable, Sendable {
  /// Elements that stay. Their order relative to other kept or updated elements is the same.
  case kept(from: Range<Int>, to: Range<Int>)
  /// Elements that were replaced by new ones in their place.
  case updated(from: Range<Int>, to: Range<Int>)
  /// Elements that moved together. If `isUpdated` is true, each was also replaced by a new one.
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
  /// Each old index is in one piece, and so is each new index. All other forms of a change, such as
  /// ``inserts`` and ``splices``, are read off the pieces.
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
    func kept(_ range: Range<Int>, by distance: Int) -> ListPiece {
      .kept(from: range, to: range.lowerBound + distance..<range.upperBound + distance)
    }
    func one(_ index: Int) -> Range<Int> { index..<index + 1 }
    let pieces: [ListPiece] =
      switch self {
      case .lift: [kept(0..<oldCount, by: 0)]
      case .insert(let index):
        [kept(0..<index, by: 0), .inserted(one(index)), kept(index..<oldCount, by: 1)]
      case .remove(let index):
        [kept(0..<index, by: 0), .deleted(one(index)), kept(index + 1..<oldCount, by: -1)]
      case .update(let index):
        [
          kept(0..<index, by: 0), .updated(from: one(index), to: one(index)),
          kept(index + 1..<oldCount, by: 0),
        ]
      case .move(let source, let destination, let isUpdated) where source < destination:
        [
          kept(0..<source, by: 0), kept(source + 1..<destination + 1, by: -1),
          .moved(from: one(source), to: one(destination), isUpdated: isUpdated),
          kept(destination + 1..<oldCount, by: 0),
        ]
      case .move(let source, let destination, let isUpdated):
        [
          kept(0..<destination, by: 0),
          .moved(from: one(source), to: one(destination), isUpdated: isUpdated),
          kept(destination..<source, by: 1), kept(source + 1..<oldCount, by: 0),
        ]
      }
    return pieces.filter { $0.old?.isEmpty != true }
  }
}

extension Arrangement {
  @usableFromInline
  func pieces(deletes: IndexRuns) -> [ListPiece] {
    var pieces: [ListPiece] = []
    pieces.reserveCapacity(count + deletes.ranges.count)
    var gone = deletes.ranges[...]
    forEachRun { run, places in
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
    for range in gone { pieces.append(.deleted(range)) }
    return pieces
  }
}
