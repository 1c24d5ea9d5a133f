/// What has happened to a list if it was not one edit: what it is made of now, and what it has lost.
///
/// All else is read off that when somebody asks: a list in the middle of a chain has nobody who does.
@usableFromInline
final class ManyChanges<Element> {
  @usableFromInline let elements: SharedArray<Element>
  /// What the list is made of, in terms of what it was.
  @usableFromInline let runs: Arrangement
  @usableFromInline let deletes: IndexRuns
  /// What is not there any more, in the order of `deletes`.
  @usableFromInline let gone: [Element]
  /// What the updated elements were, in the order in which they were.
  @usableFromInline let replaced: [OldElement<Element>]
  /// The elements of the fresh runs, in order, if they are at hand: the list may be in no cache.
  @usableFromInline let fresh: [Element]?
  @usableFromInline let insertedCount: Int
  /// How many inserts, updates, deletes and moves there are.
  @usableFromInline let extent: Int

  /// What has gone and what was replaced are in order.
  @inlinable
  init(
    _ elements: SharedArray<Element>, of runs: Arrangement, gone: [OldElement<Element>],
    replaced: [OldElement<Element>], fresh: [Element]? = nil
  ) {
    self.elements = elements
    self.runs = runs
    // Apart, for a million neighbours that have gone are one range.
    deletes = IndexRuns(ascending: gone.lazy.map { $0.index })
    self.gone = gone.map { $0.element }
    self.replaced = replaced
    self.fresh = fresh
    var (inserted, moved) = (0, 0)
    for run in runs {
      if run.isNew { inserted += run.count }
      if run.isMoved { moved += run.count }
    }
    insertedCount = inserted
    extent = inserted + moved + gone.count + replaced.count
  }

  /// How many elements there were.
  @inlinable var oldCount: Int { elements.count - insertedCount + gone.count }

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

  @inlinable var updates: IndexRuns {
    var updates = IndexRuns()
    if replaced.isEmpty { return updates }
    for run in runs.inOldOrder(where: { $0.isUpdated }) { updates.append(run.origins) }
    return updates
  }

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
    if replaced.isEmpty { return updates }
    updates.reserveCapacity(replaced.count)
    runs.forEachRun { run, places in
      if run.isUpdated { updates.append(from: run.origins, to: places) }
    }
    updates.sortUnlessAscending { $0.from }
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
    for element in self.gone { gone(element) }
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
    for update in updatePlaces { follower.update(update.from, to: elements[update.to]) }
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
    var lost = zip(deletes, gone).map { OldElement($1, at: $0) } + replaced
    lost.sortUnlessAscending { $0.index }
    let fresh = lost.map { $0.element }
    var oldElements = elements
    oldElements.rearrange(oldRuns, gaps: oldRuns.gaps(in: elements.count), fresh)
    var (come, updated): ([OldElement<Element>], [OldElement<Element>]) = ([], [])
    runs.forEachRun { run, places in
      guard run.isFresh else { return }
      let here = zip(elements[places], places).lazy.map { OldElement($0, at: $1) }
      if run.isNew { come += here } else { updated += here }
    }
    return ManyChanges(
      oldElements, of: oldRuns, gone: come, replaced: updated, fresh: fresh)
  }
}
