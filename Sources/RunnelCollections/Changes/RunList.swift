/// A list described as runs of old elements and runs of new ones.
///
/// Its size grows with the number of edits, not with the list: a million adjacent elements that
/// stay, or that are removed, need no more than one run.
@usableFromInline
struct RunList {
  /// A run of elements with the same history. It is small, because searches visit many of them.
  @usableFromInline
  struct Run: Sendable {
    @usableFromInline var first: Int32
    @usableFromInline var length: Int32
    @usableFromInline var isUpdated = false
    /// True when the run was lifted and dropped again.
    @usableFromInline var isMoved = false

    @usableFromInline static var new: Int { -1 }
    @inlinable var isNew: Bool { first < 0 }
    @inlinable var isFresh: Bool { isNew || isUpdated }

    @inlinable
    init(origin: Int, count: Int, isUpdated: Bool = false, isMoved: Bool = false) {
      first = Int32(truncatingIfNeeded: origin)
      length = Int32(truncatingIfNeeded: count)
      self.isUpdated = isUpdated
      self.isMoved = isMoved
    }

    /// The old index of the first element, or ``new``.
    @inlinable var origin: Int {
      get { Int(first) }
      set { first = Int32(truncatingIfNeeded: newValue) }
    }

    @inlinable var count: Int {
      get { Int(length) }
      set { length = Int32(truncatingIfNeeded: newValue) }
    }

    /// The old indices of the elements. Not valid for a new run.
    @inlinable var origins: Range<Int> { origin..<origin + count }

    /// Shortens the run to `length`, and returns the rest.
    @inlinable
    mutating func split(after length: Int) -> Run {
      var rest = self
      if !isNew { rest.origin += length }
      rest.count -= length
      count = length
      return rest
    }

    @inlinable
    mutating func removeFirst() -> Run {
      let rest = split(after: 1)
      defer { self = rest }
      return self
    }

    /// Returns true when the following run can be merged into this one.
    @inlinable
    func isContinued(by next: Run) -> Bool {
      isUpdated == next.isUpdated && !isMoved && !next.isMoved
        && (isNew ? next.isNew : next.origin == origin + count)
    }
  }

  /// A builder of runs that merges adjacent ones where possible.
  @usableFromInline
  struct Builder {
    @usableFromInline var runs: ContiguousArray<Run> = []
    @usableFromInline var last = Run(origin: Run.new, count: 0)

    @inlinable
    init(expecting count: Int = 0) { runs.reserveCapacity(count) }

    @inlinable @inline(__always)
    mutating func append(_ run: Run) {
      if last.isContinued(by: run) {
        last.count += run.count
      } else {
        if last.count > 0 { runs.append(last) }
        last = run
      }
    }

    @inlinable
    consuming func finish() -> ContiguousArray<Run> {
      if last.count > 0 { runs.append(last) }
      return runs
    }
  }

  private static let capacity = 64

  /// The runs, in chunks that are small enough for a linear search. Empty without edits.
  @usableFromInline private(set) var chunks: ContiguousArray<ContiguousArray<Run>> = []
  /// The number of elements of each chunk, if there is more than one chunk.
  private var counts = PrefixSums()

  @usableFromInline
  init() {}

  @inlinable var isUntouched: Bool { chunks.isEmpty }

  @usableFromInline
  mutating func begin(count: Int) {
    var runs = ContiguousArray<Run>()
    // Capacity for one or two edits.
    runs.reserveCapacity(8)
    if count > 0 { runs.append(Run(origin: 0, count: count)) }
    begin(runs)
  }

  /// Replaces the runs.
  @usableFromInline
  mutating func begin(_ runs: ContiguousArray<Run>) {
    chunks.removeAll(keepingCapacity: true)
    chunks.append(runs)
    counts = PrefixSums()
  }

  @usableFromInline
  mutating func make(_ edit: SingleEdit) {
    switch edit {
    case .insert(let index): insert(Run(origin: Run.new, count: 1), at: index)
    case .remove(let index), .lift(let index, _): _ = remove(at: index)
    case .update(let index): _ = update(at: index)
    case .move(let source, let destination, let isUpdated):
      var run = remove(at: source)
      run.isMoved = true
      run.isUpdated = isUpdated
      insert(run, at: destination)
    }
  }

  /// Inserts a run before the element at an index.
  @usableFromInline
  mutating func insert(_ run: Run, at index: Int) {
    let (chunk, position) = cut(at: index)
    add(run.count, to: chunk)
    if position > 0, chunks[chunk][position - 1].isContinued(by: run) {
      chunks[chunk][position - 1].count += run.count
    } else {
      chunks[chunk].insert(run, at: position)
      splitIfFull(chunk)
    }
  }

  /// Removes one element, and returns its run.
  @usableFromInline
  mutating func remove(at index: Int) -> Run {
    let (chunk, position, offset) = locate(index)
    let run = chunks[chunk][position]
    add(-1, to: chunk)
    if run.count == 1 {
      chunks[chunk].remove(at: position)
      closeIfEmpty(chunk)
      return run
    }
    if offset == 0 { return chunks[chunk][position].removeFirst() }
    var rest = chunks[chunk][position].split(after: offset)
    let removed = rest.removeFirst()
    if rest.count > 0 {
      chunks[chunk].insert(rest, at: position + 1)
      splitIfFull(chunk)
    }
    return removed
  }

  /// Removes a range of elements, and returns their runs.
  @usableFromInline
  mutating func remove(_ range: Range<Int>) -> [Run] {
    var removed: [Run] = []
    var rest = range.count
    var (chunk, position) = cut(at: range.lowerBound)
    while rest > 0 {
      if position == chunks[chunk].count {
        chunk += 1
        position = 0
        continue
      }
      let end = lastRun(in: chunk, from: position, within: rest)
      let taken = chunks[chunk][position..<end]
      let count = taken.reduce(0) { $0 + $1.count }
      removed += taken
      chunks[chunk].removeSubrange(position..<end)
      add(-count, to: chunk)
      rest -= count
      if closeIfEmpty(chunk) { position = 0 }
    }
    return removed
  }

  /// Marks an element as updated. Returns its old index, and true when it was updated before.
  @usableFromInline
  mutating func update(at index: Int) -> (origin: Int, wasUpdated: Bool) {
    let (chunk, position, offset) = locate(index)
    let run = chunks[chunk][position]
    let origin = run.isNew ? Run.new : run.origin + offset
    guard !run.isNew, !run.isUpdated else { return (origin, run.isUpdated) }
    let (target, place) = isolate(index)
    chunks[target][place].isUpdated = true
    joinWithPrevious(target, place)
    return (origin, false)
  }

  // MARK: - Positions

  /// Returns the chunk and position of the run of an element, and the element's offset in the run.
  private func locate(_ index: Int) -> (chunk: Int, position: Int, offset: Int) {
    var (chunk, rest) = (0, index)
    if chunks.count > 1 {
      if index < counts.total {
        (chunk, rest) = counts.find(index)
      } else {
        return (chunks.count - 1, chunks[chunks.count - 1].count, 0)
      }
    }
    return chunks[chunk].withUnsafeBufferPointer { runs in
      var position = 0
      while position < runs.count, rest >= runs[position].count {
        rest -= runs[position].count
        position += 1
      }
      return (chunk, position, rest)
    }
  }

  /// Splits a run so that one begins at `index`, which may be the end, and returns its position.
  private mutating func cut(at index: Int) -> (chunk: Int, position: Int) {
    var (chunk, position, offset) = locate(index)
    if chunks[chunk].count > Self.capacity {
      splitIfFull(chunk)
      (chunk, position, offset) = locate(index)
    }
    guard offset > 0 else { return (chunk, position) }
    let rest = chunks[chunk][position].split(after: offset)
    chunks[chunk].insert(rest, at: position + 1)
    return (chunk, position + 1)
  }

  /// Splits runs so that an element has its own run, and returns the position of that.
  private mutating func isolate(_ index: Int) -> (chunk: Int, position: Int) {
    let (chunk, position) = cut(at: index)
    if chunks[chunk][position].count > 1 {
      let rest = chunks[chunk][position].split(after: 1)
      chunks[chunk].insert(rest, at: position + 1)
    }
    return (chunk, position)
  }

  /// Returns the end of the runs that have at most `length` elements together. The last one is
  /// split to fit.
  private mutating func lastRun(in chunk: Int, from position: Int, within length: Int) -> Int {
    var rest = length
    var end = position
    while rest > 0 && end < chunks[chunk].count {
      if chunks[chunk][end].count > rest {
        let tail = chunks[chunk][end].split(after: rest)
        chunks[chunk].insert(tail, at: end + 1)
      }
      rest -= chunks[chunk][end].count
      end += 1
    }
    return end
  }

  private mutating func joinWithPrevious(_ chunk: Int, _ position: Int) {
    guard position > 0, chunks[chunk][position - 1].isContinued(by: chunks[chunk][position])
    else { return splitIfFull(chunk) }
    chunks[chunk][position - 1].count += chunks[chunk][position].count
    chunks[chunk].remove(at: position)
  }

  // MARK: - Chunks

  private mutating func splitIfFull(_ chunk: Int) {
    guard chunks[chunk].count > Self.capacity else { return }
    let half = chunks[chunk].count / 2
    let tail = ContiguousArray(chunks[chunk][half...])
    chunks[chunk].removeSubrange(half...)
    if chunks.count > 1 { counts.add(-tail.reduce(0) { $0 + $1.count }, at: chunk) }
    open(chunk + 1, tail)
  }

  private mutating func open(_ chunk: Int, _ runs: ContiguousArray<Run>) {
    chunks.insert(runs, at: chunk)
    if chunks.count == 2 {
      counts.insertZeros(at: 0..<2)
      for place in 0..<2 { counts.add(chunks[place].reduce(0) { $0 + $1.count }, at: place) }
    } else {
      counts.insertZeros(at: chunk..<chunk + 1)
      counts.add(runs.reduce(0) { $0 + $1.count }, at: chunk)
    }
  }

  @discardableResult
  private mutating func closeIfEmpty(_ chunk: Int) -> Bool {
    guard chunks[chunk].isEmpty, chunks.count > 1 else { return false }
    chunks.remove(at: chunk)
    counts.removeSubrange(chunk..<chunk + 1)
    if chunks.count == 1 { counts = PrefixSums() }
    return true
  }

  private mutating func add(_ count: Int, to chunk: Int) {
    if chunks.count > 1 { counts.add(count, at: chunk) }
  }

  // MARK: - Result

  /// Returns all runs in order, and begins without edits. Moved runs that are back in the old order
  /// no longer count as moved.
  @usableFromInline
  mutating func finish() -> ContiguousArray<Run> {
    var runs = chunks.count == 1 ? chunks.removeLast() : ContiguousArray(chunks.joined())
    chunks.removeAll(keepingCapacity: runs.count <= Self.capacity)
    counts = PrefixSums()
    guard runs.contains(where: \.isMoved) else { return runs }
    runs.withUnsafeMutableBufferPointer { runs in
      // The next unmoved run, and the old index of the last unmoved element.
      var (next, last) = (0, -1)
      for index in runs.indices where !runs[index].isNew {
        let run = runs[index]
        if run.isMoved {
          next = max(next, index + 1)
          while next < runs.count, runs[next].isMoved || runs[next].isNew { next += 1 }
          guard last < run.origin, next == runs.count || run.origin < runs[next].origin
          else { continue }
          runs[index].isMoved = false
        }
        last = run.origins.upperBound - 1
      }
    }
    return runs
  }
}
