/// Runs of a list as it was and of what has come to it, in order: what makes a new list of it.
@usableFromInline typealias Arrangement = ContiguousArray<RunList.Run>

/// What can be made another list of the same elements and some others, all at once.
@usableFromInline
protocol Rearrangeable {
  associatedtype Element
  var count: Int { get }
  subscript(index: Int) -> Element { get set }
  mutating func insert(contentsOf elements: some Collection<Element>, at index: Int)
  mutating func insert(_ element: Element, at index: Int)
  mutating func removeSubrange(_ range: Range<Int>)
  /// Whether the elements of a run are not the ones that were there.
  static func isFresh(_ run: RunList.Run) -> Bool
  /// Makes it anew, whatever has changed. `fresh` has, in order, the elements of the fresh runs.
  mutating func remake(_ runs: Arrangement, _ fresh: [Element])
}

extension Rearrangeable {
  /// Makes it what the runs say. `fresh` has, in order, the elements of the fresh runs.
  ///
  /// *Complexity*: that of the changes, one by one, or linear where that is less.
  @inlinable
  mutating func rearrange(_ runs: Arrangement, _ fresh: [Element]) {
    guard runs.effort < count / 32 else { return remake(runs, fresh) }
    var moved: [Element] = []
    for run in runs where run.isMoved && !Self.isFresh(run) {
      for origin in run.origins { moved.append(self[origin]) }
    }
    for gap in runs.gaps(in: count).reversed() { removeSubrange(gap) }
    var (index, nextFresh, nextMoved) = (0, 0, 0)
    for run in runs {
      let end = index + run.count
      if Self.isFresh(run) {
        let elements = fresh[nextFresh..<nextFresh + run.count]
        nextFresh += run.count
        if !run.isNew && !run.isMoved {
          for (place, element) in zip(index..<end, elements) { self[place] = element }
        } else {
          insert(elements, at: index)
        }
      } else if run.isMoved {
        insert(moved[nextMoved..<nextMoved + run.count], at: index)
        nextMoved += run.count
      }
      index = end
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
  /// How much there is to do one by one. What comes and goes side by side does so at once.
  @inlinable var effort: Int {
    var effort = count
    for run in self where run.isUpdated || run.isMoved { effort += run.count }
    return effort
  }

  /// The ranges of old indices, of so many, from which everything has gone or was moved.
  @inlinable
  func gaps(in count: Int) -> [Range<Int>] {
    var gaps: [Range<Int>] = []
    var next = 0
    for run in self where !run.isNew && !run.isMoved {
      if next < run.origin { gaps.append(next..<run.origin) }
      next = run.origins.upperBound
    }
    if next < count { gaps.append(next..<count) }
    return gaps
  }

  /// The ranges of old indices from which everything has gone.
  @inlinable
  func departures(in count: Int) -> [Range<Int>] {
    let movers = filter { $0.isMoved }.sorted { $0.origin < $1.origin }
    guard !movers.isEmpty else { return gaps(in: count) }
    var departures: [Range<Int>] = []
    var rest = movers[...]
    for gap in gaps(in: count) {
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
}

extension ListEditor {
  /// Makes it the list that the runs make of it. `fresh` has, in order, what is new and what others
  /// are updated to. Before any other edit.
  @inlinable
  func rearrange(_ new: Arrangement, _ fresh: [Element]) {
    begin()
    for range in new.departures(in: list.count) {
      var origin = range.lowerBound
      list.forEachPiece(of: range) { elements in
        for element in elements {
          gone.append(element, origin: origin)
          origin += 1
        }
      }
    }
    for run in new where run.isUpdated {
      for origin in run.origins { replaced.append(list[origin], origin: origin) }
    }
    list.rearrange(new, fresh)
    runs.begin(new)
  }
}

// MARK: - What can be rearranged

extension SharedArray: Rearrangeable {
  @inlinable
  static func isFresh(_ run: RunList.Run) -> Bool { run.isNew || run.isUpdated }

  @inlinable
  mutating func remake(_ runs: Arrangement, _ fresh: [Element]) {
    var builder = SharedArrayBuilder<Element>(expecting: count + fresh.count)
    var next = 0
    for run in runs {
      if Self.isFresh(run) {
        for element in fresh[next..<next + run.count] { builder.append(element) }
        next += run.count
      } else {
        forEachPiece(of: run.origins) { builder.append(contentsOf: $0) }
      }
    }
    self = builder.finish()
  }
}

extension HandleList: Rearrangeable {
  /// What is updated has the handle that it had.
  @usableFromInline
  static func isFresh(_ run: RunList.Run) -> Bool { run.isNew }

  @usableFromInline
  mutating func remake(_ runs: Arrangement, _ fresh: [Int32]) {
    let old = ContiguousArray(self)
    var handles: ContiguousArray<Int32> = []
    handles.reserveCapacity(old.count + fresh.count)
    var next = 0
    for run in runs {
      if run.isNew {
        handles += fresh[next..<next + run.count]
        next += run.count
      } else {
        handles += old[run.origins]
      }
    }
    self = HandleList(packed: handles)
  }
}
