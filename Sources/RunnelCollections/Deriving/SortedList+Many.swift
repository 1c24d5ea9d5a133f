extension Sorting {
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

  /// Makes many edits at once: what changes is taken out and sorted, and comes back in one go from
  /// the first place to the last.
  @inlinable
  func rearrange(_ changes: ManyChanges<Element>) {
    let handles = (0..<changes.edits.inserts.count).map { _ in pool.take() }
    var (comers, out, gone) = leavers(changes, handles)
    for handle in gone { pool.give(handle) }
    source.rearrange(changes.runs, gaps: changes.runs.gaps(in: source.count), handles)
    comers.mergeSort { precedes($0.element, $1.element) }
    let new = merged(comers, without: out)
    var fresh: [Element] = []
    var newHandles: [Int32] = []
    fresh.reserveCapacity(comers.count)
    newHandles.reserveCapacity(handles.count)
    for comer in comers {
      if comer.run.isNew { newHandles.append(comer.handle) }
      if comer.run.isNew || comer.run.isUpdated { fresh.append(comer.element) }
    }
    let gaps = new.gaps(in: ranks.count)
    output.rearrange(new, gaps: gaps, fresh)
    ranks.rearrange(new, gaps: gaps, newHandles)
  }

  /// Those that come to a place, the ranks of those that leave theirs, in order, and the handles of
  /// those that are gone.
  @inlinable
  func leavers(_ changes: ManyChanges<Element>, _ handles: [Int32]) -> (
    comers: [Comer], out: [Int], gone: [Int32]
  ) {
    // Copies, which are not changed here: or each look at them would make one.
    let (source, ranks) = (source, ranks)
    let gone = changes.edits.deletes.map { source[$0] }
    var out = gone.map { ranks.index(of: $0) }
    var comers: [Comer] = []
    var movers: [Comer] = []
    comers.reserveCapacity(changes.runs.count)
    out.reserveCapacity(changes.runs.count)
    var reader = NearReader(changes.elements)
    var (index, nextHandle) = (0, 0)
    for run in changes.runs {
      if run.isNew || run.isUpdated || run.isMoved {
        for offset in 0..<run.count {
          var rank = RunList.Run.new
          let handle: Int32
          if run.isNew {
            handle = handles[nextHandle]
            nextHandle += 1
          } else {
            handle = source[run.origin + offset]
            rank = ranks.index(of: handle)
          }
          let comer = Comer(
            element: reader.element(at: index + offset),
            run: RunList.Run(
              origin: rank, count: 1, isUpdated: run.isUpdated, isMoved: !run.isNew),
            handle: handle, position: Int32(index + offset))
          if run.isNew || run.isUpdated { comers.append(comer) } else { movers.append(comer) }
          if run.isUpdated && !run.isNew { out.append(rank) }
        }
      }
      index += run.count
    }
    out.sort()
    add(movers, to: &comers, &out)
    return (comers, out, gone)
  }

  /// Adds those that have moved in the source, but for those that have no equals next to them.
  @inlinable
  func add(_ movers: [Comer], to comers: inout [Comer], _ out: inout [Int]) {
    var reader = NearReader(output.elements)
    let leaving = out
    for mover in movers {
      let rank = mover.run.origin
      // What leaves is not compared.
      guard leaving.hasAny(of: rank - 1...rank + 1) || !isAlone(mover.element, at: rank, &reader)
      else { continue }
      comers.append(mover)
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
    let precedes = precedes
    var reader = NearReader(output.elements)
    let count = reader.list.count
    var new = RunList.Builder(expecting: 2 * comers.count + out.count + 1)
    // Those that stay are in segments between those that leave. All before `start` is told.
    var (start, segment) = (0, 0)
    // Up to where the old order has been kept.
    var kept = 0
    func end() -> Int { segment < out.count ? out[segment] : count }
    // Whether a comer goes before what is at a rank. Equals go by the source.
    func isBefore(_ comer: Comer, _ rank: Int) -> Bool {
      let other = reader.element(at: rank)
      if precedes(comer.element, other) { return true }
      return !precedes(other, comer.element) && Int(comer.position) < source.index(of: ranks[rank])
    }
    func tell(upTo end: Int) {
      guard start < end else { return }
      new.append(RunList.Run(origin: start, count: end - start))
      (start, kept) = (end, end)
    }
    for comer in comers {
      while segment < out.count, start == end() || !isBefore(comer, end() - 1) {
        tell(upTo: end())
        start = end() + 1
        segment += 1
      }
      var (low, high) = (start, end())
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
    while segment < out.count {
      tell(upTo: end())
      start = end() + 1
      segment += 1
    }
    tell(upTo: count)
    return new.finish()
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
