/// The places of an agenda, put in order only where they are near.
///
/// The next few are in order. The others lie on rungs, as they came; all that is on a rung comes
/// before what is on the rung above it. When the few are used up, the lowest rung is divided until
/// what comes first on it is few. So memory is gone through in rows, and what is far away is put down
/// and left alone; a heap would touch a place here and a place there for each one that it takes.
///
/// *Complexity*: adding and taking O(log n), amortised.
struct LadderQueue {
  struct Place {
    /// The deadline, as a number: that of a `Duration` is compared by a call.
    let attoseconds: Int128
    // Safety: retained as long as it is on the ladder, which moves its places about without counting.
    let entry: Unmanaged<TimerQueue.Entry>

    var isDue: Bool { entry._withUnsafeGuaranteedRef { $0.isDue } }
  }

  private struct Rung {
    /// None of its deadlines is before this. Equal ones that came earlier may be below it.
    let start: Int128
    var places: [Place]
  }

  /// How many places are kept in order, at most, unless they have one deadline.
  private static let few = 64

  /// What is before all rungs, in order; the next place is the last one.
  private var next: [Place] = []
  /// From the highest to the lowest. On each, equal deadlines are in the order in which they came.
  private var rungs: [Rung] = []

  /// How many places there are, also of entries that are not due any more.
  private(set) var count = 0

  /// The next place.
  var first: Place? {
    mutating get {
      while next.isEmpty && !rungs.isEmpty { takeNext() }
      return next.last
    }
  }

  /// Takes the place that is ``first``.
  mutating func removeFirst() -> Place {
    count -= 1
    return next.removeLast()
  }

  mutating func add(_ place: Place) {
    count += 1
    let rung = rungs.firstIndex(since: { place.attoseconds >= $0.start })
    if rung < rungs.count { return rungs[rung].places.append(place) }
    next.insert(place, at: next.firstIndex(since: { $0.attoseconds <= place.attoseconds }))
    if next.count > Self.few { makeRoom() }
  }

  /// Lets go of what is not due any more.
  mutating func tidy() {
    count -= Self.tidy(&next)
    for index in rungs.indices { count -= Self.tidy(&rungs[index].places) }
    rungs.removeAll { $0.places.isEmpty }
  }

  /// Hands over all places, in no order.
  mutating func removeAll() -> [Place] {
    let all = rungs.reduce(into: next) { $0 += $1.places }
    self = LadderQueue()
    return all
  }

  /// Lets go of what is not due any more in one row. Returns how many that were.
  private static func tidy(_ places: inout [Place]) -> Int {
    let before = places.count
    places.removeAll { place in
      if place.isDue { return false }
      place.entry.release()
      return true
    }
    return before - places.count
  }

  /// Makes room among the next places. Unless it is enough to let go of some, the later half of them
  /// is the lowest rung from now on.
  private mutating func makeRoom() {
    count -= Self.tidy(&next)
    guard next.count > Self.few / 2 else { return }
    let later = Array(next[..<(next.count / 2)].reversed())
    next.removeFirst(later.count)
    if let start = later.first { rungs.append(Rung(start: start.attoseconds, places: later)) }
  }

  /// Makes the first few on the lowest rung the next places, and rungs of the others.
  private mutating func takeNext() {
    var lowest = rungs.removeLast().places
    while lowest.count > Self.few {
      let middle = Self.middle(of: lowest)
      var nearer = lowest.takeOut { $0 < middle }
      let areEqual = nearer.isEmpty
      if areEqual { nearer = lowest.takeOut { $0 == middle } }
      rungs.append(Rung(start: middle, places: lowest))
      lowest = nearer
      if areEqual { break }
    }
    count -= Self.tidy(&lowest)
    lowest.sort { $0.attoseconds < $1.attoseconds }
    lowest.reverse()
    next = lowest
  }

  /// Something near the middle: the median of nine from all over the row, at uneven distances, as
  /// deadlines may come in a pattern.
  private static func middle(of places: [Place]) -> Int128 {
    let step = places.count / 9
    var samples = (0..<9).map { places[$0 * step + $0 * 7_919 % step].attoseconds }
    samples.sort()
    return samples[4]
  }
}

extension Array {
  /// The first index for which it is so, in an array in which it is so for all that follow.
  fileprivate func firstIndex(since isSo: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if isSo(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension Array<LadderQueue.Place> {
  /// Takes out the places of some deadlines. Both parts stay in order. Written so that no branch
  /// depends on a deadline: nothing could predict it.
  @inline(__always)
  fileprivate mutating func takeOut(_ isWanted: (Int128) -> Bool) -> [LadderQueue.Place] {
    let total = reduce(0) { $0 + (isWanted($1.attoseconds) ? 1 : 0) }
    // One more than there will be: each place is written to both parts, and counts in one.
    let taken = [LadderQueue.Place](unsafeUninitializedCapacity: total + 1) { taken, count in
      var kept = 0
      withUnsafeMutableBufferPointer { places in
        for index in places.indices {
          let place = places[index]
          let isTaken = isWanted(place.attoseconds) ? 1 : 0
          // Safety: there is room for one more than is wanted, and `count` is at most what is wanted.
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
