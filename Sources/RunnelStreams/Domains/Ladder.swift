/// The places of an agenda, put in order only where they are near.
///
/// The next few are in order. The others lie on rungs, as they came; all that is on a rung comes
/// before what is on the rung above it. When the few are used up, the lowest rung is divided until
/// what comes first on it is few. So memory is gone through in rows, and what is far away is put down
/// and left alone; a heap would touch a place here and a place there for each one that it takes.
///
/// *Complexity*: adding and taking O(log n), amortised.
struct Ladder {
  /// When an entry is due.
  struct Moment {
    /// The deadline, as a number: that of a `Duration` is compared by a call.
    let attoseconds: Int128
    /// Tells which of equal deadlines was there first; no two moments are equal.
    let number: Int

    /// Written so that it needs no branch, which nothing could predict.
    func isBefore(_ other: Moment) -> Bool {
      number < other.number
        ? attoseconds <= other.attoseconds : attoseconds < other.attoseconds
    }
  }

  struct Place {
    let moment: Moment
    // Safety: retained as long as it is on the ladder, which moves its places about without counting.
    let entry: Unmanaged<Agenda.Entry>

    var isDue: Bool { entry._withUnsafeGuaranteedRef { $0.isDue } }
  }

  private struct Rung {
    /// None of its places is before this.
    let start: Moment
    var places: [Place]
  }

  /// How many places are kept in order, at most.
  private static let few = 64

  /// What is before all rungs, in order; the next place is the last one.
  private var next: [Place] = []
  /// From the highest to the lowest.
  private var rungs: [Rung] = []

  /// How many places there are, also of entries that are not due any more.
  private(set) var count = 0

  /// The next place.
  var first: Place? {
    mutating get {
      while next.isEmpty, let lowest = rungs.popLast() { takeNext(from: lowest.places) }
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
    let rung = rungs.firstIndex(since: { !place.moment.isBefore($0.start) })
    if rung < rungs.count { return rungs[rung].places.append(place) }
    next.insert(place, at: next.firstIndex(since: { $0.moment.isBefore(place.moment) }))
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
    self = Ladder()
    return all
  }

  /// How many that were, in one row.
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
    let later = Array(next[..<(next.count / 2)])
    next.removeFirst(later.count)
    if let start = later.last { rungs.append(Rung(start: start.moment, places: later)) }
  }

  /// Makes the first few on a rung the next places, and rungs of the others.
  private mutating func takeNext(from rung: [Place]) {
    var lowest = rung
    while lowest.count > Self.few {
      let middle = Self.middle(of: lowest)
      let nearer = lowest.removeAll(before: middle)
      rungs.append(Rung(start: middle, places: lowest))
      lowest = nearer
    }
    count -= Self.tidy(&lowest)
    lowest.sort { $1.moment.isBefore($0.moment) }
    next = lowest
  }

  /// Something near the middle, and never the first: the median of nine from all over the row, at
  /// uneven distances, as deadlines may come in a pattern.
  private static func middle(of places: [Place]) -> Moment {
    let step = places.count / 9
    var samples = (0..<9).map { places[$0 * step + $0 * 7_919 % step].moment }
    samples.sort { $0.isBefore($1) }
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

extension Array<Ladder.Place> {
  /// Takes out what is before a moment; again without a branch.
  fileprivate mutating func removeAll(before moment: Ladder.Moment) -> [Ladder.Place] {
    let kept = withUnsafeMutableBufferPointer { places in
      var kept = 0
      for index in places.indices {
        let place = places[index]
        places[index] = places[kept]
        places[kept] = place
        kept += place.moment.isBefore(moment) ? 0 : 1
      }
      return kept
    }
    let removed = Array(self[kept...])
    removeSubrange(kept...)
    return removed
  }
}
