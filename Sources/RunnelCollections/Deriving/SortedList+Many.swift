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
    let edits = changes.edits
    // Those that leave their place, by where it was.
    var out = edits.deletes.map { ranks.index(of: source[$0]) }
    let handles = (0..<edits.inserts.count).map { _ in pool.take() }
    var comers: [Comer] = []
    comers.reserveCapacity(changes.runs.count)
    out.reserveCapacity(changes.runs.count)
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
            out.append(rank)
          }
          comers.append(
            Comer(
              element: changes.elements[index + offset],
              run: RunList.Run(
                origin: rank, count: 1, isUpdated: run.isUpdated, isMoved: !run.isNew),
              handle: handle, position: Int32(index + offset)))
        }
      }
      index += run.count
    }
    for index in edits.deletes { pool.give(source[index]) }
    source.rearrange(changes.runs, gaps: changes.runs.gaps(in: source.count), handles)
    out.sort()
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

  /// The runs of the output, where the sorted comers go between those that stay.
  @inlinable
  func merged(_ comers: [Comer], without out: [Int]) -> Arrangement {
    let elements = output.elements
    var new = RunList.Builder(expecting: 2 * comers.count + out.count + 1)
    // Those that stay are in segments between those that leave. All before `start` is told.
    var (start, segment) = (0, 0)
    // Up to where the old order has been kept.
    var kept = 0
    func end() -> Int { segment < out.count ? out[segment] : elements.count }
    func tell(upTo end: Int) {
      guard start < end else { return }
      new.append(RunList.Run(origin: start, count: end - start))
      (start, kept) = (end, end)
    }
    for comer in comers {
      while segment < out.count, start == end() || !precedes(comer, end() - 1, elements) {
        tell(upTo: end())
        start = end() + 1
        segment += 1
      }
      var (low, high) = (start, end())
      while low < high {
        let middle = low + (high - low) / 2
        if precedes(comer, middle, elements) { high = middle } else { low = middle + 1 }
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
    tell(upTo: elements.count)
    return new.finish()
  }

  /// Whether a comer goes before what is at a rank. Equals go by the source.
  @inlinable
  func precedes(_ comer: Comer, _ rank: Int, _ elements: SharedArray<Element>) -> Bool {
    let other = elements[rank]
    if precedes(comer.element, other) { return true }
    return !precedes(other, comer.element) && Int(comer.position) < source.index(of: ranks[rank])
  }
}
