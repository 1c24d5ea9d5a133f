/// An editable sequence of bits that counts the ones before an index. `FilteredList` uses it.
///
/// An index out of range traps.
///
/// *Complexity*: every operation is logarithmic, except for moving memory once in hundreds of
/// changes. Operations on many bits are also linear in their number.
@usableFromInline package struct BitList: Sendable {
  /// Chunks of adjacent words. The lowest bit of a word is the first one. Bits after the last one
  /// are zero.
  private var words: ContiguousArray<UInt64> = []
  private var counts = PrefixSums()
  private var ones = PrefixSums()

  private static let width = 16
  private static let room = width * 64

  @usableFromInline package init() {}

  @usableFromInline package init(_ bits: PackedBits) {
    spread(bits, over: 0..<0)
  }

  @usableFromInline package var count: Int { counts.total }

  @usableFromInline package subscript(index: Int) -> Bool {
    let (place, offset) = locate(index)
    return words[place * Self.width + offset / 64] >> UInt64(offset % 64) & 1 == 1
  }

  @usableFromInline package mutating func set(_ bit: Bool, at index: Int) {
    let (place, offset) = locate(index)
    let mask: UInt64 = 1 << UInt64(offset % 64)
    let word = place * Self.width + offset / 64
    guard (words[word] & mask != 0) != bit else { return }
    words[word] ^= mask
    ones.add(bit ? 1 : -1, at: place)
  }

  /// Returns the number of ones before an index, which may be `count`.
  @usableFromInline package func ones(before index: Int) -> Int {
    index == count ? ones.total : find(index).ones
  }

  /// Returns a bit, and the number of ones before it.
  @usableFromInline func find(_ index: Int) -> (isOne: Bool, ones: Int) {
    let (place, offset) = locate(index)
    let start = place * Self.width
    let end = start + offset / 64
    var sum = ones.sum(before: place)
    for word in start..<end { sum &+= words[word].nonzeroBitCount }
    sum &+= (words[end] & Self.mask(offset % 64)).nonzeroBitCount
    return (words[end] >> UInt64(offset % 64) & 1 == 1, sum)
  }

  // MARK: - Single bits

  @usableFromInline package mutating func insert(_ bit: Bool, at index: Int) {
    var (place, offset) = gap(before: index)
    if counts.values[place] == Self.room {
      spread(bits(of: place..<place + 1), over: place..<place + 1)
      (place, offset) = gap(before: index)
    }
    let start = place * Self.width
    let word = start + offset / 64
    let low = words[word] & Self.mask(offset % 64)
    var carry = words[word] >> 63
    words[word] =
      low | (words[word] ^ low) << 1 | (bit ? 1 : 0) << UInt64(offset % 64)
    for next in word + 1..<start + Self.width {
      let last = words[next] >> 63
      words[next] = words[next] << 1 | carry
      carry = last
    }
    counts.add(1, at: place)
    if bit { ones.add(1, at: place) }
  }

  @discardableResult
  @usableFromInline package mutating func remove(at index: Int) -> Bool {
    let (place, offset) = locate(index)
    let start = place * Self.width
    let word = start + offset / 64
    let bit = words[word] >> UInt64(offset % 64) & 1 == 1
    let low = words[word] & Self.mask(offset % 64)
    words[word] = low | words[word] >> 1 & ~Self.mask(offset % 64)
    for next in word + 1..<start + Self.width {
      words[next - 1] |= words[next] << 63
      words[next] >>= 1
    }
    counts.add(-1, at: place)
    if bit { ones.add(-1, at: place) }
    mend(place)
    return bit
  }

  // MARK: - Ranges of bits

  @usableFromInline package mutating func insert(contentsOf bits: PackedBits, at index: Int) {
    guard bits.count > 0 else { return }
    let (place, offset) = gap(before: index)
    var all = self.bits(of: place..<place + 1, upTo: offset)
    all.append(bits)
    all.append(self.bits(of: place..<place + 1, from: offset))
    spread(all, over: place..<place + 1)
  }

  @usableFromInline package mutating func removeSubrange(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    let first = locate(range.lowerBound)
    let last = locate(range.upperBound - 1)
    var rest = bits(of: first.place..<first.place + 1, upTo: first.offset)
    rest.append(bits(of: last.place..<last.place + 1, from: last.offset + 1))
    spread(rest, over: first.place..<last.place + 1)
    mend(first.place)
  }

  @usableFromInline package var all: PackedBits { bits(of: 0..<counts.values.count) }

  // MARK: - Chunks

  private static func mask(_ length: Int) -> UInt64 { 1 << UInt64(length) &- 1 }

  private func locate(_ index: Int) -> (place: Int, offset: Int) {
    precondition(index >= 0 && index < count, "Index out of range")
    let (place, offset) = counts.find(index)
    return (place, offset)
  }

  /// Returns the place where a bit can be inserted before an index.
  private mutating func gap(before index: Int) -> (place: Int, offset: Int) {
    precondition(index >= 0 && index <= count, "Index out of range")
    if index < count { return locate(index) }
    if counts.values.isEmpty { spread(PackedBits(), over: 0..<0, least: 1) }
    let last = counts.values.count - 1
    return (last, counts.values[last])
  }

  /// Returns the bits of a range of chunks. `start` and `end` limit those of the first chunk.
  private func bits(of places: Range<Int>, from start: Int = 0, upTo end: Int? = nil) -> PackedBits
  {
    var bits = PackedBits()
    for place in places {
      let length = end ?? counts.values[place]
      for offset in stride(from: start, to: length, by: 64) {
        let word = place * Self.width + offset / 64
        var piece = words[word] >> UInt64(offset % 64)
        if offset % 64 > 0, offset / 64 + 1 < Self.width {
          piece |= words[word + 1] << UInt64(64 - offset % 64)
        }
        bits.append(piece, count: min(64, length - offset))
      }
    }
    return bits
  }

  /// Replaces chunks by bits. The new chunks keep spare capacity, otherwise the next insertions
  /// would split all of them.
  private mutating func spread(_ bits: PackedBits, over places: Range<Int>, least: Int = 0) {
    let number = max(least, (bits.count + Self.room * 3 / 4 - 1) / (Self.room * 3 / 4))
    counts.removeSubrange(places)
    ones.removeSubrange(places)
    let opened = places.lowerBound..<places.lowerBound + number
    counts.insertZeros(at: opened)
    ones.insertZeros(at: opened)
    var new = ContiguousArray<UInt64>(repeating: 0, count: number * Self.width)
    for chunk in 0..<number {
      let range = bits.count * chunk / number..<bits.count * (chunk + 1) / number
      var sum = 0
      for offset in stride(from: 0, to: range.count, by: 64) {
        let word =
          bits.word(at: range.lowerBound + offset)
          & (range.count - offset < 64 ? Self.mask(range.count - offset) : ~0)
        new[chunk * Self.width + offset / 64] = word
        sum += word.nonzeroBitCount
      }
      counts.add(range.count, at: opened.lowerBound + chunk)
      ones.add(sum, at: opened.lowerBound + chunk)
    }
    let old = places.lowerBound * Self.width..<places.upperBound * Self.width
    words.replaceSubrange(old, with: new)
  }

  /// Merges a chunk with a neighbour if both are small.
  private mutating func mend(_ place: Int) {
    let counts = counts.values
    for first in [place, place - 1] where first >= 0 && first + 1 < counts.count {
      let (one, other) = (counts[first], counts[first + 1])
      guard one + other <= Self.room / 2 || one == 0 || other == 0 else { continue }
      return spread(bits(of: first..<first + 2), over: first..<first + 2)
    }
    if counts.count == 1 && counts[0] == 0 { self = BitList() }
  }
}
