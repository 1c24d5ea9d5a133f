#if canImport(Glibc)
import Glibc
#else
#error("RunnelText needs Linux with glibc. Add it as a dependency for Linux only.")
#endif

/// A search for a text by its two rarest bytes, which are chosen among its first 32 bytes.
struct RareByteSearch: Sendable {
  private let rarest, nextRarest: Int

  init(of letters: ArraySlice<UInt8>) {
    var (rarest, next) = (0, min(1, max(letters.count - 1, 0)))
    for place in letters.indices.prefix(32) {
      if Self.rarity[Int(letters[place])] > Self.rarity[Int(letters[rarest])] {
        (rarest, next) = (place, rarest)
      } else if place != rarest, Self.rarity[Int(letters[place])] > Self.rarity[Int(letters[next])]
      {
        next = place
      }
    }
    (self.rarest, nextRarest) = (rarest, next)
  }

  /// Returns the first match from `start` on. 64 places are compared at a time, and both rare bytes
  /// must match. Therefore the match can also be at `end` or shortly after it.
  // Safety: the caller guarantees that the text has `count` bytes from the place `last` on.
  func firstPlace(
    of letters: UnsafeRawPointer, _ count: Int, in text: UnsafeRawPointer, from start: Int,
    upTo end: Int, last: Int
  ) -> Int? {
    func isAt(_ place: Int) -> Bool { memcmp(text + place, letters, count) == 0 }
    let end = min(end, last + 1)
    if start >= end { return nil }
    if last - start < 63 { return (start..<end).first(where: isAt) }
    let one = SIMD64(repeating: letters.load(fromByteOffset: rarest, as: UInt8.self))
    let other = SIMD64(repeating: letters.load(fromByteOffset: nextRarest, as: UInt8.self))
    var place = start
    while place < end {
      // The last 64 places overlap the ones before, so that there are always 64.
      place = min(place, last - 63)
      // Safety: from the last of the 64 places, `count` letters end within the text.
      let ones = (text + place + rarest).loadUnaligned(as: SIMD64<UInt8>.self)
      let others = (text + place + nextRarest).loadUnaligned(as: SIMD64<UInt8>.self)
      // Safety: both types have 64 bytes, and each byte of the mask is all ones or all zeros.
      let found = unsafeBitCast((ones .== one) .& (others .== other), to: SIMD8<UInt64>.self)
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
