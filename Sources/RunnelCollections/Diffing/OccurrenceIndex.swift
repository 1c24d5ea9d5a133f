/// A hash table that finds the elements of a list by id, each once. Elements with the same id are
/// found in order.
///
/// It uses linear probing. Compared with `Dictionary` it avoids copying ids, and hashing where both
/// lists continue alike. It also tolerates inconsistent `Hashable` conformances.
@usableFromInline struct OccurrenceIndex<Element, ID: Hashable> {
  @usableFromInline let elements: Slice<UnsafeBufferPointer<Element>>
  /// The lower half of a hash in the upper bits, a leader plus one in the lower bits. Zero is a
  /// free slot. At most half of the slots are used, so every search ends.
  @usableFromInline var table: [UInt64]
  @usableFromInline let shift: UInt64
  /// For each element the leader of its id: the element that is in the table.
  @usableFromInline var leaders: [Int32]
  /// For each leader the first unmatched element, or -1.
  @usableFromInline var heads: [Int32]
  /// For each element the next one with its id, or -1.
  @usableFromInline var followers: [Int32]
  /// The index of the next element if both lists continue alike.
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
    // A custom hash may have no entropy in the upper bits, which the table uses.
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

  /// Returns the index of the next unmatched element with an id, or -1.
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

  /// The elements that are unmatched, one for each id.
  @inlinable var left: some Sequence<Element> {
    heads.lazy.filter { $0 >= 0 }.map { element(Int($0)) }
  }
}
