extension SortedList {
  /// An element without a rank among the elements that stay.
  @usableFromInline
  struct Comer {
    @usableFromInline let element: Element
    /// The run of the element, in terms of the output.
    @usableFromInline var run: RunList.Run
    @usableFromInline let handle: Int32
    /// The index in the source.
    @usableFromInline let position: Int32

    @inlinable
    init(element: Element, run: RunList.Run, handle: Int32, position: Int32) {
      self.element = element
      self.run = run
      self.handle = handle
      self.position = position
    }
  }

  /// An element that has moved in the source. The element itself is in the output.
  @usableFromInline
  struct Mover {
    @usableFromInline let rank: Int
    @usableFromInline let handle: Int32
    /// The index in the source.
    @usableFromInline let position: Int32

    @inlinable
    init(rank: Int, handle: Int32, position: Int32) {
      self.rank = rank
      self.handle = handle
      self.position = position
    }
  }

  /// Makes many edits at once: changed elements are removed, sorted and merged back in one pass.
  @inlinable
  func rearrange(_ changes: ManyChanges<Element>) {
    let gone = handles(at: changes.deletes)
    for handle in gone { pool.give(handle) }
    if pool.canBeDiscarded { pool = HandlePool() }
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
    // A local copy, because each access to the stored list would copy.
    let source = source
    return indices.map { source[$0] }
  }

  /// Returns the elements that need a rank, and the ascending ranks of the elements that leave
  /// theirs. `gone` holds the removed handles, `handles` the inserted ones.
  @inlinable
  func leavers(_ changes: ManyChanges<Element>, _ gone: [Int32], _ handles: [Int32]) -> (
    comers: [Comer], out: [Int]
  ) {
    // A local copy, as in `handles(at:)`.
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
    out.sortAscending()
    add(movers, to: &comers, &out)
    return (comers, out)
  }

  /// Adds the elements that have moved in the source and have equivalent neighbours.
  @inlinable
  func add(_ movers: [Mover], to comers: inout [Comer], _ out: inout [Int]) {
    var reader = LeafCursor(output.elements)
    let leaving = out
    for mover in movers {
      let rank = mover.rank
      let element = reader.element(at: rank)
      // An element that leaves is not compared.
      guard leaving.hasAny(of: rank - 1...rank + 1) || !isAlone(element, at: rank, &reader)
      else { continue }
      let run = RunList.Run(origin: rank, count: 1, isMoved: true)
      comers.append(
        Comer(element: element, run: run, handle: mover.handle, position: mover.position))
      out.append(rank)
    }
    guard out.count > leaving.count else { return }
    out.sortAscending()
    // Sort by source position, because equivalent elements keep that order.
    comers.mergeSort { $0.position < $1.position }
  }

  /// Returns the runs of the output: the sorted comers merged with the elements that stay.
  @inlinable
  func merged(_ comers: [Comer], without out: [Int]) -> Arrangement {
    var merging = Merging(self, out, expecting: comers.count)
    for comer in comers { merging.add(comer) }
    return merging.finish()
  }

  /// A merge of the elements that stay, in segments between those that leave, with the comers.
  @usableFromInline
  struct Merging {
    @usableFromInline let sorting: SortedList
    @usableFromInline let precedes: (Element, Element) -> Bool
    @usableFromInline let out: [Int]
    @usableFromInline var reader: LeafCursor<Element>
    @usableFromInline var new: RunList.Builder
    /// The rank up to which the output is complete.
    @usableFromInline var start = 0
    /// The number of the segment that begins at `start` or later. `end` is its end.
    @usableFromInline var segment = 0
    @usableFromInline var end = 0
    /// The rank up to which the old order was kept.
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

    /// The comer must not precede those added before.
    @inlinable
    mutating func add(_ comer: Comer) {
      while segment < out.count, start == end || !isBefore(comer, end - 1) { endSegment() }
      let low = (start..<end).partitioningIndex { isBefore(comer, $0) }
      emit(upTo: low)
      var run = comer.run
      if run.origin >= kept && run.origin <= low {
        // The element is back at its old rank.
        run.isMoved = false
        kept = run.origin + 1
      }
      new.append(run)
    }

    @inlinable
    consuming func finish() -> Arrangement {
      while segment < out.count { endSegment() }
      emit(upTo: end)
      return new.finish()
    }

    /// Skips the element that leaves at the end of the segment.
    @inlinable
    mutating func endSegment() {
      emit(upTo: end)
      start = end + 1
      segment += 1
      end = segment < out.count ? out[segment] : reader.list.count
    }

    @inlinable
    mutating func emit(upTo end: Int) {
      guard start < end else { return }
      new.append(RunList.Run(origin: start, count: end - start))
      (start, kept) = (end, end)
    }

    /// Returns true when a comer precedes the element at a rank. Equivalent elements are in source
    /// order.
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
  /// Returns true when any of these ascending numbers is in a range.
  @inlinable
  func hasAny(of range: ClosedRange<Int>) -> Bool {
    let low = indices.partitioningIndex { self[$0] >= range.lowerBound }
    return low < count && self[low] <= range.upperBound
  }
}
