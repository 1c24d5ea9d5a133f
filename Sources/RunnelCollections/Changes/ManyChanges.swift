/// What has happened to a list if it was not one edit: what it is made of now, and what it has lost.
///
/// All else is read off that when somebody asks: a list in the middle of a chain has nobody who does.
@usableFromInline
final class ManyChanges<Element> {
  @usableFromInline let elements: SharedArray<Element>
  /// What the list is made of, in terms of what it was.
  @usableFromInline let runs: Arrangement
  /// What is not there any more, in the order in which it was.
  @usableFromInline let gone: [OldElement<Element>]
  /// What the updated elements were, in the order in which they were.
  @usableFromInline let replaced: [OldElement<Element>]
  /// The elements of the fresh runs, in order, if they are at hand: the list may be in no cache.
  @usableFromInline let fresh: [Element]?
  /// How many elements there were.
  @usableFromInline let oldCount: Int
  /// How many inserts, updates, deletes and moves there are.
  @usableFromInline let extent: Int

  @inlinable
  init(
    _ elements: SharedArray<Element>, of runs: Arrangement, gone: [OldElement<Element>],
    replaced: [OldElement<Element>], fresh: [Element]? = nil
  ) {
    self.elements = elements
    self.runs = runs
    self.gone = gone
    self.replaced = replaced
    self.fresh = fresh
    var (inserted, moved) = (0, 0)
    for run in runs {
      if run.isNew { inserted += run.count }
      if run.isMoved { moved += run.count }
    }
    oldCount = elements.count - inserted + gone.count
    extent = inserted + moved + gone.count + replaced.count
  }

  /// Whether to make the edits all at once. For few of them it takes more to begin with that than to make
  /// one after the other.
  @inlinable var comeAtOnce: Bool { extent > 16 }
}

extension ManyChanges: Sendable where Element: Sendable {}

// MARK: - Kind by kind

extension ManyChanges {
  @inlinable var inserts: IndexRuns {
    var inserts = IndexRuns()
    runs.forEachRun { run, places in
      if run.isNew { inserts.append(places) }
    }
    return inserts
  }

  @inlinable var deletes: IndexRuns { IndexRuns(ascending: gone.lazy.map { $0.index }) }

  @inlinable var moves: [ListMove] {
    var moves: [ListMove] = []
    runs.forEachRun { run, places in
      if run.isMoved { moves.append(from: run.origins, to: places) }
    }
    return moves
  }

  /// Where the updated elements were and are, in the order in which they were.
  @inlinable var updatePlaces: [ListMove] {
    var updates: [ListMove] = []
    updates.reserveCapacity(replaced.count)
    var isAscending = true
    runs.forEachRun { run, places in
      guard run.isUpdated else { return }
      if let last = updates.last, last.from > run.origin { isAscending = false }
      updates.append(from: run.origins, to: places)
    }
    if !isAscending { updates.sort { $0.from < $1.from } }
    return updates
  }

  /// Calls with the elements at the places of a fresh run, behind so many other fresh elements.
  @inlinable
  func forEachElement(at places: Range<Int>, number: Int, _ body: (Element) -> Void) {
    if let fresh {
      for element in fresh[number..<number + places.count] { body(element) }
    } else {
      elements.forEachPiece(of: places) { for element in $0 { body(element) } }
    }
  }

  /// Calls the closures with what has gone and with what has come.
  @inlinable
  func visit(gone: (Element) -> Void, come: (Element) -> Void) {
    for old in self.gone { gone(old.element) }
    for old in replaced { gone(old.element) }
    var number = 0
    runs.forEachRun { run, places in
      guard run.isFresh else { return }
      forEachElement(at: places, number: number, come)
      number += run.count
    }
  }
}

// MARK: - Following

extension ManyChanges {
  /// Tells a follower of the edits, one after the other.
  @inlinable
  func replay(to follower: some ListFollower<Element>) {
    runs.forEachRun { run, places in
      guard run.isUpdated else { return }
      for (origin, place) in zip(run.origins, places) {
        follower.update(origin, to: elements[place])
      }
    }
    replayDepartures(to: follower)
    replayArrivals(to: follower)
  }

  @inlinable
  func replayDepartures(to follower: some ListFollower<Element>) {
    var ranges = deletes.ranges[...]
    var movers: [(source: Int, number: Int)] = []
    for run in runs where run.isMoved {
      for origin in run.origins { movers.append((origin, movers.count)) }
    }
    if movers.count > 1 { movers.sort { $0.source > $1.source } }
    for (source, number) in movers {
      while let range = ranges.last, range.lowerBound > source {
        follower.remove(range)
        ranges.removeLast()
      }
      follower.lift(source, number: number)
    }
    for range in ranges.reversed() { follower.remove(range) }
  }

  @inlinable
  func replayArrivals(to follower: some ListFollower<Element>) {
    var number = 0
    runs.forEachRun { run, places in
      if run.isNew {
        follower.insert(places, of: elements)
      } else if run.isMoved {
        for place in places {
          follower.drop(number: number, at: place)
          number += 1
        }
      }
    }
  }
}

// MARK: - Taking back

extension ManyChanges {
  /// The change that takes this one back.
  @inlinable var inverse: ManyChanges {
    var old: [(index: Int, run: RunList.Run)] = []
    runs.forEachRun { run, places in
      guard !run.isNew else { return }
      var here = run
      here.origin = places.lowerBound
      old.append((run.origin, here))
    }
    for range in deletes.ranges {
      old.append((range.lowerBound, RunList.Run(origin: RunList.Run.new, count: range.count)))
    }
    old.sort { $0.index < $1.index }
    var builder = RunList.Builder(expecting: old.count)
    for (_, run) in old { builder.append(run) }
    let oldRuns = builder.finish()
    var lost = gone + replaced
    lost.sortByIndex()
    let fresh = lost.map { $0.element }
    var oldElements = elements
    oldElements.rearrange(oldRuns, gaps: oldRuns.gaps(in: elements.count), fresh)
    var updated = updatePlaces.map { OldElement(elements[$0.to], at: $0.to) }
    updated.sortByIndex()
    return ManyChanges(
      oldElements, of: oldRuns, gone: inserts.map { OldElement(elements[$0], at: $0) },
      replaced: updated, fresh: fresh)
  }
}
