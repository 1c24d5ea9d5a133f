/// The deadlines of a ``TimerQueue``, sorted only as far as needed: a ladder queue.
///
/// Up to 64 of the earliest places are sorted. The others are stored unsorted on rungs, where every
/// place on a rung is earlier than every place on the rung above. When the sorted places are used
/// up, the lowest rung is split until its earliest part has at most 64 places. Memory is therefore
/// accessed sequentially, and distant deadlines are not touched. A heap would access scattered
/// addresses for each removal.
///
/// *Complexity*: adding and removing are O(log n), amortised.
struct LadderQueue {
  struct Place {
    /// The deadline as a number, because comparing two `Duration`s is a function call.
    let attoseconds: Int128
    // Safety: the queue retains each entry that it stores, and moves places without retain and
    // release.
    let entry: Unmanaged<TimerQueue.Entry>

    var isDue: Bool { entry._withUnsafeGuaranteedRef { $0.isDue } }
  }

  private struct Rung {
    /// The earliest possible deadline on this rung. Equal deadlines that were added earlier may be
    /// below it.
    let start: Int128
    var places: [Place]
  }

  /// The maximum number of sorted places, unless they all have the same deadline.
  private static let sortedLimit = 64

  /// The places before all rungs, sorted in descending order: the earliest is the last one.
  private var next: [Place] = []
  /// The rungs, from the highest to the lowest. On each, equal deadlines are in the order of
  /// addition.
  private var rungs: [Rung] = []

  /// The number of places, including those of cancelled entries.
  private(set) var count = 0

  /// The earliest place.
  var first: Place? {
    mutating get {
      while next.isEmpty && !rungs.isEmpty { takeNext() }
      return next.last
    }
  }

  /// Removes and returns the place that ``first`` returned.
  mutating func removeFirst() -> Place {
    count -= 1
    return next.removeLast()
  }

  mutating func add(_ place: Place) {
    count += 1
    let rung = rungs.partitioningIndex(where: { place.attoseconds >= $0.start })
    if rung < rungs.count { return rungs[rung].places.append(place) }
    next.insert(place, at: next.partitioningIndex(where: { $0.attoseconds <= place.attoseconds }))
    if next.count > Self.sortedLimit { makeRoom() }
  }

  mutating func removeCancelled() {
    count -= Self.removeCancelled(&next)
    for index in rungs.indices { count -= Self.removeCancelled(&rungs[index].places) }
    rungs.removeAll { $0.places.isEmpty }
  }

  /// Removes all places and returns them in no particular order.
  mutating func removeAll() -> [Place] {
    let all = rungs.reduce(into: next) { $0 += $1.places }
    self = LadderQueue()
    return all
  }

  /// Returns the number of removed places.
  private static func removeCancelled(_ places: inout [Place]) -> Int {
    let before = places.count
    places.removeAll { place in
      if place.isDue { return false }
      place.entry.release()
      return true
    }
    return before - places.count
  }

  /// Makes room among the sorted places. If removing cancelled entries is not enough, the later
  /// half of them becomes the lowest rung.
  private mutating func makeRoom() {
    count -= Self.removeCancelled(&next)
    guard next.count > Self.sortedLimit / 2 else { return }
    let later = Array(next[..<(next.count / 2)].reversed())
    next.removeFirst(later.count)
    if let start = later.first { rungs.append(Rung(start: start.attoseconds, places: later)) }
  }

  /// Sorts the earliest places of the lowest rung, and puts the others on new rungs.
  private mutating func takeNext() {
    var lowest = rungs.removeLast().places
    while lowest.count > Self.sortedLimit {
      let middle = Self.middle(of: lowest)
      var nearer = lowest.takeOut { $0 < middle }
      let areEqual = nearer.isEmpty
      if areEqual { nearer = lowest.takeOut { $0 == middle } }
      rungs.append(Rung(start: middle, places: lowest))
      lowest = nearer
      if areEqual { break }
    }
    count -= Self.removeCancelled(&lowest)
    lowest.sort { $0.attoseconds < $1.attoseconds }
    lowest.reverse()
    next = lowest
  }

  /// Returns an approximate median: the median of nine samples at uneven distances, because
  /// deadlines may follow a pattern.
  private static func middle(of places: [Place]) -> Int128 {
    let step = places.count / 9
    var samples = (0..<9).map { places[$0 * step + $0 * 7_919 % step].attoseconds }
    samples.sort()
    return samples[4]
  }
}

extension Array {
  /// Returns the first index whose element satisfies the predicate. All elements after it must
  /// satisfy it too.
  fileprivate func partitioningIndex(where isInSecondPart: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if isInSecondPart(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension Array<LadderQueue.Place> {
  /// Removes the places whose deadlines satisfy the predicate, and returns them. Both parts keep
  /// their order. No branch depends on a deadline, because such a branch could not be predicted.
  @inline(__always)
  fileprivate mutating func takeOut(_ isWanted: (Int128) -> Bool) -> [LadderQueue.Place] {
    let total = reduce(0) { $0 + (isWanted($1.attoseconds) ? 1 : 0) }
    // One more than needed: each place is written to both parts and counted in one.
    let taken = [LadderQueue.Place](unsafeUninitializedCapacity: total + 1) { taken, count in
      var kept = 0
      withUnsafeMutableBufferPointer { places in
        for index in places.indices {
          let place = places[index]
          let isTaken = isWanted(place.attoseconds) ? 1 : 0
          // Safety: the capacity is one more than `total`, and `count` is at most `total`.
          taken.initializeElement(at: count, to: place)
          places[kept] = place
          count += isTaken
          kept += 1 - isTaken
        }
      }
    }
    removeLast(total)
    return taken
  }
}
