extension SortedList {
  /// An element that has no place among those that stay.
  @usableFromInline
  struct Comer {
    @usableFromInline let element: Element
    /// The run of it alone, in terms of the output.
    @usableFromInline var run: RunList.Run
    @usableFromInline let handle: Int32
    /// Where it is in the source.
    @usableFromInline let position: Int32

    @inlinable
    init(element: Element, run: RunList.Run, handle: Int32, position: Int32) {
      self.element = element
      self.run = run
      self.handle = handle
      self.position = position
    }
  }

  /// An element that has another place in the source. What it is, the output knows.
  @usableFromInline
  struct Mover {
    @usableFromInline let rank: Int
    @usableFromInline let handle: Int32
    /// Where it is in the source.
    @usableFromInline let position: Int32

    @inlinable
    init(rank: Int, handle: Int32, position: Int32) {
      self.rank = rank
      self.handle = handle
      self.position = position
    }
  }

  /// Makes many edits at once: what changes is taken out and sorted, and comes back in one go from
  /// the first place to the last.
  @inlinable
  func rearrange(_ changes: ManyChanges<Element>) {
    let gone = handles(at: changes.deletes)
    for handle in gone { pool.give(handle) }
    if pool.canBeginAnew { pool = HandlePool() }
    let handles = (0..<changes.insertedCount).map { _ in pool.take() }
    var (comers, out) = leavers(changes, gone, handles)
    source.rearrange(changes.runs, gaps: changes.runs.gaps(in: source.count), handles)
    comers.mergeSort { precedes($0.element, $1.element) }
    let new = merged(comers, without: out)
    var fresh: [Element] = []
    var newHandles: [Int32] = []
    fresh.reserveCapacity(comers.count)
    newHandles.reserveCapacity(handles.count)
    for comer in comers {
      if comer.run.isNew { newHandles.append(comer.handle) }
      if comer.run.isFresh { fresh.append(comer.element) }
    }
    let gaps = new.gaps(in: ranks.count)
    output.rearrange(new, gaps: gaps, fresh)
    ranks.rearrange(new, gaps: gaps, newHandles)
  }

  @inlinable
  func handles(at indices: IndexRuns) -> [Int32] {
    // A copy, which is not changed here: or each look at it would make one.
    let source = source
    return indices.map { source[$0] }
  }

  /// Those that come to a place, and the ranks of those that leave theirs, in order. The handles are of
  /// what goes and of what comes.
  @inlinable
  func leavers(_ changes: ManyChanges<Element>, _ gone: [Int32], _ handles: [Int32]) -> (
    comers: [Comer], out: [Int]
  ) {
    // A copy, as in `handles(at:)`.
    let source = source
    var leaving = gone
    leaving.reserveCapacity(gone.count + changes.runs.count)
    for run in changes.runs where !run.isNew && (run.isFresh || run.isMoved) {
      for origin in run.origins { leaving.append(source[origin]) }
    }
    let leavingRanks = ranks.indices(of: leaving)
    var out = Array(leavingRanks[..<gone.count])
    var comers: [Comer] = []
    var movers: [Mover] = []
    comers.reserveCapacity(changes.runs.count)
    out.reserveCapacity(leaving.count)
    var (nextHandle, nextLeaver) = (0, gone.count)
    changes.runs.forEachRun { run, places in
      var position = Int32(places.lowerBound)
      if run.isFresh {
        changes.forEachElement(at: places, number: comers.count) { element in
          var (handle, rank) = (Int32(0), RunList.Run.new)
          if run.isNew {
            handle = handles[nextHandle]
            nextHandle += 1
          } else {
            (handle, rank) = (leaving[nextLeaver], leavingRanks[nextLeaver])
            nextLeaver += 1
            out.append(rank)
          }
          let new = RunList.Run(
            origin: rank, count: 1, isUpdated: run.isUpdated, isMoved: !run.isNew)
          comers.append(Comer(element: element, run: new, handle: handle, position: position))
          position += 1
        }
      } else if run.isMoved {
        for _ in 0..<run.count {
          let (handle, rank) = (leaving[nextLeaver], leavingRanks[nextLeaver])
          movers.append(Mover(rank: rank, handle: handle, position: position))
          nextLeaver += 1
          position += 1
        }
      }
    }
    out.sort()
    add(movers, to: &comers, &out)
    return (comers, out)
  }

  /// Adds those that have moved in the source, but for those that have no equals next to them.
  @inlinable
  func add(_ movers: [Mover], to comers: inout [Comer], _ out: inout [Int]) {
    var reader = LeafCursor(output.elements)
    let leaving = out
    for mover in movers {
      let rank = mover.rank
      let element = reader.element(at: rank)
      // What leaves is not compared.
      guard leaving.hasAny(of: rank - 1...rank + 1) || !isAlone(element, at: rank, &reader)
      else { continue }
      let run = RunList.Run(origin: rank, count: 1, isMoved: true)
      comers.append(
        Comer(element: element, run: run, handle: mover.handle, position: mover.position))
      out.append(rank)
    }
    guard out.count > leaving.count else { return }
    out.sort()
    // In the order of the source, in which equals stay.
    comers.mergeSort { $0.position < $1.position }
  }

  /// The runs of the output, where the sorted comers go between those that stay.
  @inlinable
  func merged(_ comers: [Comer], without out: [Int]) -> Arrangement {
    var merging = Merging(self, out, expecting: comers.count)
    for comer in comers { merging.add(comer) }
    return merging.finish()
  }

  /// Those that stay, in segments between those that leave, and the comers that go between them.
  @usableFromInline
  struct Merging {
    @usableFromInline let sorting: SortedList
    @usableFromInline let precedes: (Element, Element) -> Bool
    @usableFromInline let out: [Int]
    @usableFromInline var reader: LeafCursor<Element>
    @usableFromInline var new: RunList.Builder
    /// All before this rank is told.
    @usableFromInline var start = 0
    /// The segment that begins there or later, by number, and where it ends.
    @usableFromInline var segment = 0
    @usableFromInline var end = 0
    /// Up to where the old order has been kept.
    @usableFromInline var kept = 0

    @inlinable
    init(_ sorting: SortedList, _ out: [Int], expecting count: Int) {
      self.sorting = sorting
      self.out = out
      precedes = sorting.precedes
      reader = LeafCursor(sorting.output.elements)
      new = RunList.Builder(expecting: 2 * count + out.count + 1)
      end = out.first ?? reader.list.count
    }

    /// Adds a comer, which does not go before those that were added.
    @inlinable
    mutating func add(_ comer: Comer) {
      while segment < out.count, start == end || !isBefore(comer, end - 1) { endSegment() }
      var (low, high) = (start, end)
      while low < high {
        let middle = low + (high - low) / 2
        if isBefore(comer, middle) { high = middle } else { low = middle + 1 }
      }
      tell(upTo: low)
      var run = comer.run
      if run.origin >= kept && run.origin <= low {
        // It comes back to where it was.
        run.isMoved = false
        kept = run.origin + 1
      }
      new.append(run)
    }

    @inlinable
    consuming func finish() -> Arrangement {
      while segment < out.count { endSegment() }
      tell(upTo: end)
      return new.finish()
    }

    /// Goes behind the one that leaves at the end of the segment.
    @inlinable
    mutating func endSegment() {
      tell(upTo: end)
      start = end + 1
      segment += 1
      end = segment < out.count ? out[segment] : reader.list.count
    }

    @inlinable
    mutating func tell(upTo end: Int) {
      guard start < end else { return }
      new.append(RunList.Run(origin: start, count: end - start))
      (start, kept) = (end, end)
    }

    /// Whether a comer goes before what is at a rank. Equals go by the source.
    @inlinable
    mutating func isBefore(_ comer: Comer, _ rank: Int) -> Bool {
      let other = reader.element(at: rank)
      if precedes(comer.element, other) { return true }
      return !precedes(other, comer.element)
        && Int(comer.position) < sorting.source.index(of: sorting.ranks[rank])
    }
  }
}

extension [Int] {
  /// Whether any of these numbers, which ascend, is in a range.
  @inlinable
  func hasAny(of range: ClosedRange<Int>) -> Bool {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < range.lowerBound { low = middle + 1 } else { high = middle }
    }
    return low < count && self[low] <= range.upperBound
  }
}
