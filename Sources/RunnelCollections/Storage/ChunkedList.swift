/// A summary of the chunks of a `ChunkedList`, beyond their lengths.
///
/// An element that moves between chunks leaves one chunk and enters the other.
protocol ChunkLedger: Sendable {
  /// Inserts empty chunks at the given places.
  mutating func open(_ places: Range<Int>)
  /// Removes chunks that are empty.
  mutating func close(_ places: Range<Int>)
  mutating func enter(_ elements: some Sequence<Int32>, at place: Int)
  mutating func leave(_ elements: some Sequence<Int32>, at place: Int)
}

/// A sequence of small numbers in chunks, so that a change in the middle moves few of them.
///
/// Two adjacent chunks together are always more than half full.
///
/// *Complexity*: logarithmic, plus the length of the chunks at the ends of a change, plus the
/// number of inserted or removed elements. Work in proportion to the number of chunks occurs once
/// in hundreds of changes.
struct ChunkedList<Ledger: ChunkLedger>: Sendable {
  typealias Position = (place: Int, offset: Int)

  private(set) var chunks: ContiguousArray<ContiguousArray<Int32>> = []
  private var counts = PrefixSums()
  private(set) var ledger: Ledger

  /// The capacity of a chunk. It balances scanning against splitting, and stays below the 1,032
  /// bytes up to which glibc caches freed memory per thread.
  private let room = 240

  init(_ ledger: Ledger) {
    self.ledger = ledger
  }

  var count: Int { counts.total }

  func count(before place: Int) -> Int { counts.sum(before: place) }

  func locate(_ index: Int) -> Position {
    precondition(index >= 0 && index < count, "Index out of range")
    let (place, offset) = counts.find(index)
    return (place, offset)
  }

  subscript(index: Int) -> Int32 {
    let (place, offset) = locate(index)
    return chunks[place][offset]
  }

  // MARK: - Single elements

  mutating func insert(_ element: Int32, at index: Int) {
    let (place, offset) = gap(at: index)
    chunks[place].insert(element, at: offset)
    counts.add(1, at: place)
    ledger.enter(CollectionOfOne(element), at: place)
  }

  mutating func remove(at position: Position) -> Int32 {
    let (place, offset) = position
    let element = chunks[place].remove(at: offset)
    counts.add(-1, at: place)
    ledger.leave(CollectionOfOne(element), at: place)
    mend(place)
    return element
  }

  /// Replaces an element, and returns the old one.
  mutating func replace(at index: Int, with element: Int32) -> Int32 {
    let (place, offset) = locate(index)
    let old = chunks[place][offset]
    guard old != element else { return old }
    chunks[place][offset] = element
    ledger.leave(CollectionOfOne(old), at: place)
    ledger.enter(CollectionOfOne(element), at: place)
    return old
  }

  // MARK: - Ranges of elements

  mutating func insert(contentsOf elements: ContiguousArray<Int32>, at index: Int) {
    var (place, offset) = end(before: index)
    guard !elements.isEmpty else { return }
    if place < chunks.count {
      if chunks[place].count + elements.count <= room {
        return put(elements[...], at: (place, offset))
      }
      if offset > 0 {
        if offset < chunks[place].count { cut(place, at: offset) }
        place += 1
      }
    }
    // Keep spare capacity in each chunk, otherwise the next insertions would split all of them.
    let added = (elements.count - 1) / (room * 3 / 4) + 1
    open(place..<place + added)
    for number in 0..<added {
      let start = elements.count * number / added
      let end = elements.count * (number + 1) / added
      put(elements[start..<end], at: (place + number, 0))
    }
    mend(place + added)
    mend(place)
    mend(place - 1)
  }

  mutating func removeSubrange(_ range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "Index out of range")
    guard !range.isEmpty else { return }
    let first = locate(range.lowerBound)
    if range.count == 1 {
      _ = remove(at: first)
      return
    }
    let last = locate(range.upperBound - 1)
    var places = first.place..<last.place + 1
    if places.count == 1 {
      take(first.offset..<last.offset + 1, from: first.place)
      return mend(first.place)
    }
    if first.offset > 0 {
      take(first.offset..<chunks[first.place].count, from: first.place)
      places = places.lowerBound + 1..<places.upperBound
    }
    if last.offset + 1 < chunks[last.place].count {
      take(0..<last.offset + 1, from: last.place)
      places = places.lowerBound..<places.upperBound - 1
    }
    for place in places { ledger.leave(chunks[place], at: place) }
    close(places)
    mend(places.lowerBound)
    mend(places.lowerBound - 1)
  }

  // MARK: - Chunks

  /// Returns the position of an index; for `count` the end of the last chunk.
  private func end(before index: Int) -> Position {
    if index == count, let last = chunks.last { return (chunks.count - 1, last.count) }
    return index == 0 ? (0, 0) : locate(index)
  }

  /// Returns the position for an insertion at an index, in a chunk with spare capacity.
  private mutating func gap(at index: Int) -> Position {
    let (place, offset) = end(before: index)
    if chunks.isEmpty {
      open(0..<1)
    } else if chunks[place].count == room {
      // Appending leaves full chunks.
      if index == count {
        open(place + 1..<place + 2)
        return (place + 1, 0)
      }
      if index == 0 {
        open(0..<1)
        return (0, 0)
      }
      cut(place, at: room / 2)
      if offset > room / 2 { return (place + 1, offset - room / 2) }
    }
    return (place, offset)
  }

  private mutating func cut(_ place: Int, at offset: Int) {
    open(place + 1..<place + 2)
    move(offset..<chunks[place].count, from: place, to: place + 1)
  }

  /// Merges a chunk with a neighbour if both are small, and removes it if it is empty.
  private mutating func mend(_ place: Int) {
    guard place >= 0, place < chunks.count else { return }
    var place = place
    if counts.values[place] == 0 {
      close(place..<place + 1)
      // The neighbours of the removed chunk are now adjacent.
      place -= 1
      guard place >= 0 else { return }
    }
    while place + 1 < chunks.count, isSmall(place) { join(place) }
    while place > 0, isSmall(place - 1) {
      place -= 1
      join(place)
    }
  }

  /// Returns true when a chunk and the next one together are at most half full.
  private func isSmall(_ place: Int) -> Bool {
    counts.values[place] + counts.values[place + 1] <= room / 2
  }

  private mutating func join(_ place: Int) {
    move(0..<chunks[place + 1].count, from: place + 1, to: place)
    close(place + 1..<place + 2)
  }

  private mutating func move(_ offsets: Range<Int>, from place: Int, to other: Int) {
    let elements = ContiguousArray(chunks[place][offsets])
    take(offsets, from: place)
    put(elements[...], at: (other, chunks[other].count))
  }

  private mutating func put(_ elements: ContiguousArray<Int32>.SubSequence, at position: Position) {
    let (place, offset) = position
    chunks[place].insert(contentsOf: elements, at: offset)
    counts.add(elements.count, at: place)
    ledger.enter(elements, at: place)
  }

  private mutating func take(_ offsets: Range<Int>, from place: Int) {
    ledger.leave(chunks[place][offsets], at: place)
    chunks[place].removeSubrange(offsets)
    counts.add(-offsets.count, at: place)
  }

  private mutating func open(_ places: Range<Int>) {
    chunks.insert(contentsOf: repeatElement([], count: places.count), at: places.lowerBound)
    for place in places { chunks[place].reserveCapacity(room) }
    counts.insertZeros(at: places)
    ledger.open(places)
  }

  private mutating func close(_ places: Range<Int>) {
    guard !places.isEmpty else { return }
    chunks.removeSubrange(places)
    counts.removeSubrange(places)
    ledger.close(places)
  }
}
