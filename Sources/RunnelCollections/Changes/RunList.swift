/// What a list is made of, in terms of what it was: runs of its old elements, and of new ones.
///
/// It grows with the edits, not with the list: a million elements that stay are one run, and so are
/// a million that go.
@usableFromInline
struct RunList {
  /// Some neighbours with one history.
  @usableFromInline
  struct Run {
    /// The old index of the first one, or ``new``.
    @usableFromInline var origin: Int
    @usableFromInline var count: Int
    @usableFromInline var isUpdated = false
    /// Whether it was taken out and put in again somewhere.
    @usableFromInline var isMoved = false

    @usableFromInline static var new: Int { -1 }
    @inlinable var isNew: Bool { origin < 0 }

    @inlinable
    init(origin: Int, count: Int, isUpdated: Bool = false, isMoved: Bool = false) {
      self.origin = origin
      self.count = count
      self.isUpdated = isUpdated
      self.isMoved = isMoved
    }

    /// Cuts it in two, and returns the second part.
    @inlinable
    mutating func split(after length: Int) -> Run {
      var rest = self
      if !isNew { rest.origin += length }
      rest.count -= length
      count = length
      return rest
    }

    /// Whether another run that follows can be part of this one.
    @inlinable
    func isContinued(by next: Run) -> Bool {
      isUpdated == next.isUpdated && !isMoved && !next.isMoved
        && (isNew ? next.isNew : next.origin == origin + count)
    }
  }

  /// Runs side by side, few enough to look through.
  @usableFromInline
  struct Chunk {
    @usableFromInline var runs: [Run]
    /// How many elements they have together.
    @usableFromInline var count: Int

    @inlinable
    init(_ runs: [Run], count: Int) {
      self.runs = runs
      self.count = count
    }
  }

  @usableFromInline static var capacity: Int { 128 }

  /// Empty as long as nothing has happened.
  @usableFromInline var chunks: [Chunk] = []

  @inlinable
  init() {}

  @inlinable var isUntouched: Bool { chunks.isEmpty }

  @inlinable
  mutating func begin(count: Int) {
    let runs = count == 0 ? [] : [Run(origin: 0, count: count)]
    chunks = [Chunk(runs, count: count)]
  }

  /// Puts a run at the end.
  @inlinable
  mutating func append(_ run: Run) {
    let last = chunks.count - 1
    guard last >= 0, chunks[last].runs.count < Self.capacity else {
      return chunks.append(Chunk([run], count: run.count))
    }
    let end = chunks[last].runs.count - 1
    chunks[last].count += run.count
    if end >= 0, chunks[last].runs[end].isContinued(by: run) {
      chunks[last].runs[end].count += run.count
    } else {
      chunks[last].runs.append(run)
    }
  }

  /// Puts a run before the element at an index.
  @inlinable
  mutating func insert(_ run: Run, at index: Int) {
    let (chunk, position) = cut(at: index)
    chunks[chunk].count += run.count
    if position > 0, chunks[chunk].runs[position - 1].isContinued(by: run) {
      chunks[chunk].runs[position - 1].count += run.count
    } else {
      chunks[chunk].runs.insert(run, at: position)
      splitIfFull(chunk)
    }
  }

  /// Takes out the run of one element.
  @inlinable
  mutating func remove(at index: Int) -> Run {
    let (chunk, position) = isolate(index)
    chunks[chunk].count -= 1
    let run = chunks[chunk].runs.remove(at: position)
    if chunks[chunk].runs.isEmpty && chunks.count > 1 { chunks.remove(at: chunk) }
    return run
  }

  /// Takes out the runs of some elements.
  @inlinable
  mutating func remove(_ range: Range<Int>) -> [Run] {
    var removed: [Run] = []
    var rest = range.count
    var (chunk, position) = cut(at: range.lowerBound)
    while rest > 0 {
      if position == chunks[chunk].runs.count {
        chunk += 1
        position = 0
        continue
      }
      let end = lastRun(in: chunk, from: position, within: rest)
      let taken = chunks[chunk].runs[position..<end]
      let count = taken.reduce(0) { $0 + $1.count }
      removed += taken
      chunks[chunk].runs.removeSubrange(position..<end)
      chunks[chunk].count -= count
      rest -= count
      if chunks[chunk].runs.isEmpty && chunks.count > 1 {
        chunks.remove(at: chunk)
        position = 0
      }
    }
    return removed
  }

  /// Marks an element as updated, and returns the run that it is now and what it was before.
  @inlinable
  mutating func update(at index: Int) -> (origin: Int, wasUpdated: Bool) {
    let (chunk, position, offset) = locate(index)
    let run = chunks[chunk].runs[position]
    let origin = run.isNew ? Run.new : run.origin + offset
    guard !run.isNew, !run.isUpdated else { return (origin, run.isUpdated) }
    let (target, place) = isolate(index)
    chunks[target].runs[place].isUpdated = true
    joinWithPrevious(target, place)
    return (origin, false)
  }

  // MARK: - Places

  /// The run that an element is in, and how far.
  @inlinable
  func locate(_ index: Int) -> (chunk: Int, position: Int, offset: Int) {
    var rest = index
    var chunk = 0
    while rest >= chunks[chunk].count && chunk + 1 < chunks.count {
      rest -= chunks[chunk].count
      chunk += 1
    }
    var position = 0
    while position < chunks[chunk].runs.count, rest >= chunks[chunk].runs[position].count {
      rest -= chunks[chunk].runs[position].count
      position += 1
    }
    return (chunk, position, rest)
  }

  /// Where a run begins that has the element at an index first, which may be the end.
  @inlinable
  mutating func cut(at index: Int) -> (chunk: Int, position: Int) {
    var (chunk, position, offset) = locate(index)
    if chunks[chunk].runs.count > Self.capacity {
      splitIfFull(chunk)
      (chunk, position, offset) = locate(index)
    }
    guard offset > 0 else { return (chunk, position) }
    let rest = chunks[chunk].runs[position].split(after: offset)
    chunks[chunk].runs.insert(rest, at: position + 1)
    return (chunk, position + 1)
  }

  /// The run of one element alone.
  @inlinable
  mutating func isolate(_ index: Int) -> (chunk: Int, position: Int) {
    let (chunk, position) = cut(at: index)
    if chunks[chunk].runs[position].count > 1 {
      let rest = chunks[chunk].runs[position].split(after: 1)
      chunks[chunk].runs.insert(rest, at: position + 1)
    }
    return (chunk, position)
  }

  /// The end of the runs that have no more than so many elements together, the last one cut to fit.
  @inlinable
  mutating func lastRun(in chunk: Int, from position: Int, within length: Int) -> Int {
    var rest = length
    var end = position
    while rest > 0 && end < chunks[chunk].runs.count {
      if chunks[chunk].runs[end].count > rest {
        let tail = chunks[chunk].runs[end].split(after: rest)
        chunks[chunk].runs.insert(tail, at: end + 1)
      }
      rest -= chunks[chunk].runs[end].count
      end += 1
    }
    return end
  }

  @inlinable
  mutating func joinWithPrevious(_ chunk: Int, _ position: Int) {
    guard position > 0,
      chunks[chunk].runs[position - 1].isContinued(by: chunks[chunk].runs[position])
    else { return splitIfFull(chunk) }
    chunks[chunk].runs[position - 1].count += chunks[chunk].runs[position].count
    chunks[chunk].runs.remove(at: position)
  }

  @inlinable
  mutating func splitIfFull(_ chunk: Int) {
    guard chunks[chunk].runs.count > Self.capacity else { return }
    let half = chunks[chunk].runs.count / 2
    let tail = Array(chunks[chunk].runs[half...])
    let count = tail.reduce(0) { $0 + $1.count }
    chunks[chunk].runs.removeSubrange(half...)
    chunks[chunk].count -= count
    chunks.insert(Chunk(tail, count: count), at: chunk + 1)
  }

  // MARK: - The outcome

  /// All runs in order. Those that were moved and stand in the old order again count as not moved.
  @inlinable
  consuming func settled() -> [Run] {
    var runs = chunks.count == 1 ? chunks[0].runs : chunks.flatMap(\.runs)
    guard runs.contains(where: \.isMoved) else { return runs }
    // The first old index of what stays and comes later, as seen from the end.
    var following = [Int](repeating: .max, count: runs.count)
    var next = Int.max
    for index in runs.indices.reversed() {
      following[index] = next
      if !runs[index].isMoved && !runs[index].isNew { next = runs[index].origin }
    }
    var last = -1
    for index in runs.indices where !runs[index].isNew {
      let run = runs[index]
      if run.isMoved {
        guard last < run.origin && run.origin < following[index] else { continue }
        runs[index].isMoved = false
      }
      last = run.origin + run.count - 1
    }
    return runs
  }
}
