/// A sequence of bits that can be appended to and read.
@usableFromInline package struct PackedBits: Sendable {
  /// The lowest bit of a word is the first one. Bits after the last one are zero.
  @usableFromInline package private(set) var words: ContiguousArray<UInt64> = []
  @usableFromInline package private(set) var count = 0

  /// Creates an empty sequence with capacity for `count` bits.
  @usableFromInline package init(expecting count: Int = 0) {
    words.reserveCapacity((count + 63) / 64)
  }

  /// Appends the lowest bits of a word.
  @usableFromInline package mutating func append(_ word: UInt64, count length: Int) {
    guard length > 0 else { return }
    let piece = length < 64 ? word & (1 << UInt64(length) &- 1) : word
    let offset = count % 64
    if offset > 0 { words[words.count - 1] |= piece << UInt64(offset) }
    if offset == 0 {
      words.append(piece)
    } else if offset + length > 64 {
      words.append(piece >> UInt64(64 - offset))
    }
    count += length
  }

  @usableFromInline package mutating func append(_ bits: PackedBits) {
    for offset in stride(from: 0, to: bits.count, by: 64) {
      append(bits.words[offset / 64], count: min(64, bits.count - offset))
    }
  }

  /// Appends a bit for each element, which is the result of a predicate. The second closure
  /// receives the start of each word and the word.
  @inlinable package mutating func append<Element>(
    _ elements: UnsafeBufferPointer<Element>, where holds: (Element) -> Bool,
    then body: (Int, UInt64) -> Void = { _, _ in }
  ) {
    for start in stride(from: 0, to: elements.count, by: 64) {
      let length = Swift.min(64, elements.count - start)
      var word: UInt64 = 0
      for offset in 0..<length {
        word |= (holds(elements[start &+ offset]) ? 1 : 0) &<< UInt64(truncatingIfNeeded: offset)
      }
      append(word, count: length)
      body(start, word)
    }
  }

  @inlinable package subscript(index: Int) -> Bool {
    words[index / 64] >> UInt64(index % 64) & 1 == 1
  }

  /// Returns a word of the bits from an index on. Bits after the last one are zero.
  @usableFromInline package func word(at index: Int) -> UInt64 {
    let (place, offset) = (index / 64, index % 64)
    guard offset > 0 else { return words[place] }
    let low = words[place] >> UInt64(offset)
    return place + 1 < words.count ? low | words[place + 1] << UInt64(64 - offset) : low
  }

  /// Returns the number of indices at which other bits of the same count differ.
  @usableFromInline package func differenceCount(from other: PackedBits) -> Int {
    var count = 0
    for place in words.indices { count += (words[place] ^ other.words[place]).nonzeroBitCount }
    return count
  }

  /// Returns the indices at which other bits of the same count differ.
  @usableFromInline package func differences(from other: PackedBits) -> [Int] {
    var indices: [Int] = []
    for place in words.indices {
      var rest = words[place] ^ other.words[place]
      while rest != 0 {
        indices.append(place * 64 + rest.trailingZeroBitCount)
        rest &= rest - 1
      }
    }
    return indices
  }
}
