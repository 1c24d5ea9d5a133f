/// The runs of a new list in order: runs of the old list and runs of new elements.
@usableFromInline typealias Arrangement = ContiguousArray<RunList.Run>

/// A list that can be rearranged at once into another list of its elements and new ones.
@usableFromInline
protocol Rearrangeable {
  associatedtype Element
  var count: Int { get }
  subscript(index: Int) -> Element { get set }
  mutating func insert(contentsOf elements: some Collection<Element>, at index: Int)
  mutating func insert(_ element: Element, at index: Int)
  mutating func removeSubrange(_ range: Range<Int>)
  /// Returns true when the elements of a run are not those of the old list.
  static func isFresh(_ run: RunList.Run) -> Bool
  /// Rebuilds the list from runs. `fresh` contains the elements of the fresh runs, in order.
  mutating func remake(_ runs: Arrangement, _ fresh: [Element])
}

extension Rearrangeable {
  /// Rearranges the list as the runs say. `fresh` contains the elements of the fresh runs, in
  /// order.
  ///
  /// *Complexity*: that of the single changes, or linear if that is less.
  @inlinable
  mutating func rearrange(_ runs: Arrangement, gaps: [Range<Int>], _ fresh: [Element]) {
    guard runs.effort < count / 8 else { return remake(runs, fresh) }
    var moved: [Element] = []
    for run in runs where run.isMoved && !Self.isFresh(run) {
      for origin in run.origins { moved.append(self[origin]) }
    }
    for gap in gaps.reversed() { removeSubrange(gap) }
    var (nextFresh, nextMoved) = (0, 0)
    runs.forEachRun { run, places in
      if Self.isFresh(run) {
        let elements = fresh[nextFresh..<nextFresh + run.count]
        nextFresh += run.count
        if !run.isNew && !run.isMoved {
          for (place, element) in zip(places, elements) { self[place] = element }
        } else {
          insert(elements, at: places.lowerBound)
        }
      } else if run.isMoved {
        insert(moved[nextMoved..<nextMoved + run.count], at: places.lowerBound)
        nextMoved += run.count
      }
    }
  }

  @inlinable
  mutating func insert(_ elements: ArraySlice<Element>, at index: Int) {
    if elements.count == 1 {
      insert(elements[elements.startIndex], at: index)
    } else {
      insert(contentsOf: elements, at: index)
    }
  }
}

extension Arrangement {
  /// Calls a closure with each run and the new indices of its elements.
  @inlinable @inline(__always)
  func forEachRun(_ body: (RunList.Run, Range<Int>) -> Void) {
    var index = 0
    for run in self {
      let places = index..<index + run.count
      body(run, places)
      index = places.upperBound
    }
  }

  /// An estimate of the cost of making the changes one by one. A run that is inserted or removed
  /// counts once.
  @inlinable var effort: Int {
    var effort = count
    for run in self where run.isUpdated || run.isMoved { effort += run.count }
    return effort
  }

  /// Returns the ranges of old indices, below `count`, whose elements were removed or moved.
  @inlinable
  func gaps(in count: Int) -> [Range<Int>] {
    var gaps: [Range<Int>] = []
    gaps.reserveCapacity(self.count)
    var next = 0
    for run in self where !run.isNew && !run.isMoved {
      if next < run.origin { gaps.append(next..<run.origin) }
      next = run.origins.upperBound
    }
    if next < count { gaps.append(next..<count) }
    return gaps
  }

  /// Returns the ranges of old indices whose elements were removed: the gaps without moved
  /// elements.
  @inlinable
  func departures(of gaps: [Range<Int>]) -> [Range<Int>] {
    var rest = inOldOrder { $0.isMoved }[...]
    guard !rest.isEmpty else { return gaps }
    var departures: [Range<Int>] = []
    departures.reserveCapacity(gaps.count)
    for gap in gaps {
      var start = gap.lowerBound
      while let mover = rest.first, mover.origin < gap.upperBound {
        if start < mover.origin { departures.append(start..<mover.origin) }
        start = mover.origins.upperBound
        rest.removeFirst()
      }
      if start < gap.upperBound { departures.append(start..<gap.upperBound) }
    }
    return departures
  }

  /// Returns the runs that satisfy a predicate, ascending by old index.
  @inlinable
  func inOldOrder(where holds: (RunList.Run) -> Bool) -> [RunList.Run] {
    var chosen = filter(holds)
    chosen.sortUnlessAscending { $0.origin }
    return chosen
  }
}

extension ListEditor {
  /// Rearranges the list as the runs say. `fresh` contains the new elements and the new values of
  /// updated ones, in order. It must be the first edit.
  @inlinable
  func rearrange(_ new: Arrangement, gaps: [Range<Int>], _ fresh: [Element]) {
    begin()
    let departures = new.departures(of: gaps)
    note(departures, updated: new.inOldOrder { $0.isUpdated })
    list.rearrange(new, gaps: gaps, fresh)
    runs.begin(new)
    self.fresh = fresh
  }

  /// Records the removed and updated elements before they are replaced.
  @inlinable
  func note(_ departures: [Range<Int>], updated: [RunList.Run]) {
    gone.reserveCapacity(departures.count)
    replaced.reserveCapacity(updated.count)
    var reader = LeafCursor(list)
    for range in departures {
      for origin in range { gone.append(OldElement(reader.element(at: origin), at: origin)) }
    }
    for run in updated {
      for origin in run.origins {
        replaced.append(OldElement(reader.element(at: origin), at: origin))
      }
    }
  }
}

// MARK: - Rearrangeable collections

extension SharedArray: Rearrangeable {
  @inlinable
  static func isFresh(_ run: RunList.Run) -> Bool { run.isFresh }

  @inlinable
  mutating func remake(_ runs: Arrangement, _ fresh: [Element]) {
    let old = self
    var builder = SharedArrayBuilder<Element>(expecting: count + fresh.count)
    var next = 0
    for run in runs {
      if Self.isFresh(run) {
        for element in fresh[next..<next + run.count] { builder.append(element) }
        next += run.count
      } else {
        old.forEachPiece(of: run.origins) { builder.append(contentsOf: $0) }
      }
    }
    self = builder.finish()
  }
}

extension HandleList: Rearrangeable {
  /// An updated element keeps its handle, so only new runs are fresh.
  @usableFromInline
  static func isFresh(_ run: RunList.Run) -> Bool { run.isNew }

  @usableFromInline
  mutating func remake(_ runs: Arrangement, _ fresh: [Int32]) {
    let old = all
    let count = runs.reduce(0) { $0 + $1.count }
    let handles = ContiguousArray<Int32>(unsafeUninitializedCapacity: count) { buffer, filled in
      old.withUnsafeBufferPointer { old in
        fresh.withUnsafeBufferPointer { fresh in
          var next = 0
          for run in runs {
            // Safety: the buffer has capacity for all runs, and each run initializes exactly
            // `count` slots.
            let source = run.isNew ? fresh[next..<next + run.count] : old[run.origins]
            _ = UnsafeMutableBufferPointer(rebasing: buffer[filled...]).initialize(from: source)
            if run.isNew { next += run.count }
            filled += run.count
          }
        }
      }
    }
    self = HandleList(packed: handles)
  }
}
