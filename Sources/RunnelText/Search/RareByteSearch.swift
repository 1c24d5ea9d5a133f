import Glibc

/// Which two of the first letters of what is looked for are met least often in texts: those are looked for.
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

  /// The first place of letters in a text, from a start on. Places from the end on need not be looked at, but
  /// may be: 64 are in one go, where both rare letters must stand where they should.
  // Safety: whoever calls knows that the text goes on after the last place by as much as there are letters.
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
      // The last go takes some places again, so that it has as many.
      place = min(place, last - 63)
      // Safety: at the last of the 64 places the letters end within the text.
      let ones = (text + place + rarest).loadUnaligned(as: SIMD64<UInt8>.self)
      let others = (text + place + nextRarest).loadUnaligned(as: SIMD64<UInt8>.self)
      // Safety: a mask has as many bytes as what was compared; each is all ones or none.
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

  /// How rare bytes are: the letters as in most languages, and all else, which comes with accents.
  private static let rarity: [UInt8] = {
    var rarity = [UInt8](repeating: 50, count: 256)
    for (index, byte) in " eatinosrludcmphgfbvykwzxjq0123456789".utf8.enumerated() {
      rarity[Int(byte)] = UInt8(index)
    }
    return rarity
  }()
}
