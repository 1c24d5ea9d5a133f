/// The runs of a new list in order: runs of the old list and runs of new elements.
@usableFromInline typealias Arrangement = ContiguousArray<RunList.Run>

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

  /// Returns the runs that satisfy a predicate, ascending by old index.
  @inlinable
  func inOldOrder(where holds: (RunList.Run) -> Bool) -> [RunList.Run] {
    var chosen = filter(holds)
    chosen.sortUnlessAscending { $0.origin }
    return chosen
  }
}

extension SharedArray {
  /// Rearranges the list as the runs say. `fresh` contains the new elements and the new values of
  /// updated ones, in order.
  @inlinable
  mutating func rearrange(_ runs: Arrangement, fresh: [Element]) {
    let old = self
    var gap = count
    for run in runs.reversed() where !run.isNew && !run.isMoved {
      if run.origins.upperBound < gap { removeSubrange(run.origins.upperBound..<gap) }
      gap = run.origin
    }
    removeSubrange(0..<gap)
    var next = 0
    runs.forEachRun { run, places in
      if run.isFresh {
        let elements = fresh[next..<next + run.count]
        next += run.count
        if run.isNew || run.isMoved {
          insert(contentsOf: elements, at: places.lowerBound)
        } else {
          replaceSubrange(places, with: elements)
        }
      } else if run.isMoved {
        insert(contentsOf: old[run.origins], at: places.lowerBound)
      }
    }
  }
}
