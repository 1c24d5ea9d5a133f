/// A search for a text by its two rarest bytes, which are chosen among its first 32 bytes. ASCII capital
/// letters equal small ones.
struct RareByteSearch: Sendable {
  private let rarest, nextRarest: UInt8

  init(of letters: [UInt8]) {
    var (rarest, next) = (0, min(1, max(letters.count - 1, 0)))
    func rarity(_ place: Int) -> UInt8 { Self.rarity[Int(letters[place].folded)] }
    for place in letters.indices.prefix(32) {
      if rarity(place) > rarity(rarest) {
        (rarest, next) = (place, rarest)
      } else if place != rarest, rarity(place) > rarity(next) {
        next = place
      }
    }
    (self.rarest, nextRarest) = (UInt8(rarest), UInt8(next))
  }

  /// Returns the first match from `start` on. 64 places are compared at a time, and both rare bytes
  /// must match.
  func firstPlace(
    of letters: UnsafeRawBufferPointer, in text: UnsafeRawBufferPointer, from start: Int
  ) -> Int? {
    let last = text.count - letters.count
    if letters.isEmpty || last < start { return letters.isEmpty && last >= start ? start : nil }
    func isAt(_ place: Int) -> Bool {
      text[place..<place + letters.count].elementsEqual(letters) { $0.folded == $1.folded }
    }
    if last - start < 63 { return (start...last).first(where: isAt) }
    let one = RareByte(letters, Int(rarest))
    let other = RareByte(letters, Int(nextRarest))
    var place = start
    while place <= last {
      // The last 64 places overlap the ones before, so that there are always 64.
      place = min(place, last - 63)
      // Safety: from the last of the 64 places, all letters end within the text. Both types have 64
      // bytes, and each byte of the mask is all ones or all zeros.
      let found = unsafeBitCast(
        one.places(in: text, from: place) .& other.places(in: text, from: place),
        to: SIMD8<UInt64>.self)
      let half = found.lowHalf | found.highHalf
      let quarter = half.lowHalf | half.highHalf
      if quarter[0] | quarter[1] != 0 {
        for word in found.indices where found[word] != 0 {
          for byte in 0..<8 where found[word] >> (8 * byte) & 1 != 0 {
            if isAt(place + 8 * word + byte) { return place + 8 * word + byte }
          }
        }
      }
      place += 64
    }
    return nil
  }

  /// The rarity of each byte value. Letters are ranked by their frequency in most languages. All
  /// other bytes, such as those of other scripts, count as the rarest.
  private static let rarity: [UInt8] = {
    var rarity = [UInt8](repeating: 50, count: 256)
    for (index, byte) in " eatinosrludcmphgfbvykwzxjq0123456789".utf8.enumerated() {
      rarity[Int(byte)] = UInt8(index)
    }
    return rarity
  }()
}

/// A byte of a text that is sought.
private struct RareByte {
  private let offset: Int
  private let value: SIMD64<UInt8>
  /// The bit in which capital letters differ from small ones, if the byte is a letter.
  private let caseBit: SIMD64<UInt8>

  init(_ letters: UnsafeRawBufferPointer, _ offset: Int) {
    self.offset = offset
    let byte = letters[offset].folded
    let isLetter = UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
    value = SIMD64(repeating: byte)
    caseBit = SIMD64(repeating: isLetter ? 0x20 : 0)
  }

  /// Returns the places at which the byte is, of 64 places at which the text may begin.
  @inline(__always)
  func places(in text: UnsafeRawBufferPointer, from place: Int) -> SIMDMask<SIMD64<Int8>> {
    let bytes = text.loadUnaligned(fromByteOffset: place + offset, as: SIMD64<UInt8>.self)
    return bytes | caseBit .== value
  }
}
