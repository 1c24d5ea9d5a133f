/// A change of a list of more than one edit: the runs of the new list, and the removed elements.
///
/// Everything else is computed when it is read. A list in the middle of a chain has no reader.
@usableFromInline
final class ManyChanges<Element> {
  @usableFromInline let elements: SharedArray<Element>
  /// The runs of the new list, in terms of the old one.
  @usableFromInline let runs: Arrangement
  @usableFromInline let deletes: IndexRuns
  /// The removed elements, in the order of `deletes`.
  @usableFromInline let gone: [Element]
  /// The old values of the updated elements, ascending by old index.
  @usableFromInline let replaced: [OldElement<Element>]
  @usableFromInline let insertedCount: Int
  /// The number of inserts, updates, deletes and moves.
  @usableFromInline let extent: Int

  /// `gone` and `replaced` must be sorted.
  @inlinable
  init(
    _ elements: SharedArray<Element>, of runs: Arrangement, gone: [OldElement<Element>],
    replaced: [OldElement<Element>]
  ) {
    self.elements = elements
    self.runs = runs
    // Separate arrays, because a million adjacent deleted indices are one range.
    deletes = IndexRuns(ascending: gone.lazy.map { $0.index })
    self.gone = gone.map { $0.element }
    self.replaced = replaced
    var (inserted, moved) = (0, 0)
    for run in runs {
      if run.isNew { inserted += run.count }
      if run.isMoved { moved += run.count }
    }
    insertedCount = inserted
    extent = inserted + moved + gone.count + replaced.count
  }

  @inlinable var oldCount: Int { elements.count - insertedCount + gone.count }
}

extension ManyChanges: Sendable where Element: Sendable {}

// MARK: - Reading

extension ManyChanges {
  /// Calls `gone` with each old element and `come` with each new one.
  @inlinable
  func visit(gone: (Element) -> Void, come: (Element) -> Void) {
    for element in self.gone { gone(element) }
    for old in replaced { gone(old.element) }
    runs.forEachRun { run, places in
      if run.isFresh { elements.forEachPiece(of: places) { $0.forEach(come) } }
    }
  }
}

// MARK: - Following

extension ManyChanges {
  /// Reports the edits to a follower, one after the other.
  @inlinable
  func replay(to follower: some ListFollower<Element>) {
    if !replaced.isEmpty { replayUpdates(to: follower) }
    let movers = replayDepartures(to: follower)
    replayArrivals(of: movers, to: follower)
  }

  @inlinable
  func replayUpdates(to follower: some ListFollower<Element>) {
    var updates: [ListMove] = []
    updates.reserveCapacity(replaced.count)
    runs.forEachRun { run, places in
      if run.isUpdated { updates.append(from: run.origins, to: places) }
    }
    updates.sortUnlessAscending { $0.from }
    for update in updates { follower.update(update.from, to: elements[update.to]) }
  }

  /// Returns the moved elements in the order of the new list.
  @inlinable
  func replayDepartures<Follower: ListFollower<Element>>(
    to follower: Follower
  ) -> [Follower.Lifted?] {
    var ranges = deletes.ranges[...]
    var movers: [(source: Int, number: Int)] = []
    for run in runs where run.isMoved {
      for origin in run.origins { movers.append((origin, movers.count)) }
    }
    movers.sortUnlessAscending { $0.source }
    var lifted = [Follower.Lifted?](repeating: nil, count: movers.count)
    for (source, number) in movers.reversed() {
      while let range = ranges.last, range.lowerBound > source {
        follower.remove(range)
        ranges.removeLast()
      }
      lifted[number] = follower.lift(source)
    }
    for range in ranges.reversed() { follower.remove(range) }
    return lifted
  }

  @inlinable
  func replayArrivals<Follower: ListFollower<Element>>(
    of movers: [Follower.Lifted?], to follower: Follower
  ) {
    var next = movers.makeIterator()
    runs.forEachRun { run, places in
      if run.isNew {
        follower.insert(places, of: elements)
      } else if run.isMoved {
        for place in places {
          if let lifted = next.next() ?? nil { follower.drop(lifted, at: place) }
        }
      }
    }
  }
}

// MARK: - Inverse

extension ManyChanges {
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
    old.sortUnlessAscending { $0.index }
    var builder = RunList.Builder(expecting: old.count)
    for (_, run) in old { builder.append(run) }
    let oldRuns = builder.finish()
    var lost = zip(deletes, gone).map { OldElement($1, at: $0) } + replaced
    lost.sortUnlessAscending { $0.index }
    var oldElements = elements
    oldElements.rearrange(oldRuns, fresh: lost.map { $0.element })
    var (come, updated): ([OldElement<Element>], [OldElement<Element>]) = ([], [])
    runs.forEachRun { run, places in
      guard run.isFresh else { return }
      let here = zip(elements[places], places).lazy.map { OldElement($0, at: $1) }
      if run.isNew { come += here } else { updated += here }
    }
    return ManyChanges(oldElements, of: oldRuns, gone: come, replaced: updated)
  }
}
