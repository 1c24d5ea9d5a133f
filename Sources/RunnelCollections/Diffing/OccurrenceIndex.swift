/// Finds the elements of a list by id, of those with the same id the first first, and each once.
///
/// A hash table with linear probing. Against `Dictionary` it saves the copies of the ids, and where
/// the new list goes on as the old one does, the hash as well; and an id whose `==` or hash does
/// not keep its word is no reason to trap.
@usableFromInline struct OccurrenceIndex<Element, ID: Hashable> {
  @usableFromInline let elements: Slice<UnsafeBufferPointer<Element>>
  /// The lower half of a hash above, and below it a leader plus one. Zero is free; no more than half
  /// are taken, so a search ends.
  @usableFromInline var table: [UInt64]
  @usableFromInline let shift: UInt64
  /// For each element the leader of those with its id: the one in the table.
  @usableFromInline var leaders: [Int32]
  /// For each leader the first element that is not matched yet, or -1.
  @usableFromInline var heads: [Int32]
  /// For each element the next one with its id, or -1.
  @usableFromInline var followers: [Int32]
  /// Where the next element is if the lists go on alike.
  @usableFromInline var expected = 0

  @inlinable init(_ elements: Slice<UnsafeBufferPointer<Element>>, by id: (Element) -> ID) {
    self.elements = elements
    let bits = Int.bitWidth - max(elements.count * 2, 2).leadingZeroBitCount
    table = Array(repeating: 0, count: 1 << bits)
    shift = UInt64(64 - bits)
    leaders = Array(repeating: -1, count: elements.count)
    heads = leaders
    followers = leaders
    for index in (0..<elements.count).reversed() {
      let (leader, slot, tag) = search(id(element(index)), by: id)
      if let leader {
        leaders[index] = Int32(leader)
        followers[index] = heads[leader]
        heads[leader] = Int32(index)
      } else {
        table[slot] = tag | UInt64(index + 1)
        leaders[index] = Int32(index)
        heads[index] = Int32(index)
      }
    }
  }

  @inlinable func element(_ index: Int) -> Element { elements.base[elements.startIndex &+ index] }

  @inlinable func search(
    _ sought: ID, by id: (Element) -> ID
  ) -> (leader: Int?, slot: Int, tag: UInt64) {
    // The hash of a type may be its own, and have nothing in the upper bits that the table uses.
    let hash = UInt64(truncatingIfNeeded: sought.hashValue) &* 0x9E37_79B9_7F4A_7C15
    let tag = hash << 32
    var slot = Int(truncatingIfNeeded: hash >> shift)
    while table[slot] != 0 {
      let entry = table[slot]
      let leader = Int(truncatingIfNeeded: entry & 0xFFFF_FFFF) - 1
      if entry & 0xFFFF_FFFF_0000_0000 == tag, id(element(leader)) == sought {
        return (leader, slot, tag)
      }
      slot = (slot &+ 1) & (table.count - 1)
    }
    return (nil, slot, tag)
  }

  /// The index of the next element with an id, or -1.
  @inlinable mutating func match(_ sought: ID, by id: (Element) -> ID) -> Int32 {
    let leader: Int
    if expected < elements.count, id(element(expected)) == sought {
      leader = Int(leaders[expected])
    } else if let found = search(sought, by: id).leader {
      leader = found
    } else {
      return -1
    }
    let head = heads[leader]
    guard head >= 0 else { return -1 }
    heads[leader] = followers[Int(head)]
    expected = Int(head) + 1
    return Int32(elements.startIndex) + head
  }

  /// One of those that were not matched for each id that has such.
  @inlinable var left: some Sequence<Element> {
    heads.lazy.filter { $0 >= 0 }.map { element(Int($0)) }
  }
}
