#if canImport(Glibc)
import Glibc
#else
#error("RunnelText needs Linux with glibc. Add it as a dependency for Linux only.")
#endif

/// A search for a text by its rarest byte, which is chosen among its first 32 bytes. ASCII capital letters
/// equal small ones.
struct RareByteSearch: Sendable {
  private let rarest: UInt8

  init(of letters: [UInt8]) {
    let rarities = letters.prefix(32).map { Self.rarity[Int($0.folded)] }
    rarest = UInt8(rarities.indices.max { rarities[$0] < rarities[$1] } ?? 0)
  }

  /// Returns the first match from `start` on.
  func firstPlace(
    of letters: UnsafeRawBufferPointer, in text: UnsafeRawBufferPointer, from start: Int
  ) -> Int? {
    let last = text.count - letters.count
    if letters.isEmpty || last < start { return letters.isEmpty && last >= start ? start : nil }
    let byte = letters[Int(rarest)].folded
    var next = start
    while let place = nextPlace(of: byte, in: text, from: next, upTo: last) {
      if letters.indices.allSatisfy({ text[place + $0].folded == letters[$0].folded }) {
        return place
      }
      next = place + 1
    }
    return nil
  }

  /// The number of places that are searched for a small letter, and then for the capital letter. A text with only one
  /// of them is not searched to its end for the other.
  private static let stride = 16_384

  /// Returns the first place at which the rarest byte would be this small letter, or its capital letter.
  private func nextPlace(
    of byte: UInt8, in text: UnsafeRawBufferPointer, from start: Int, upTo last: Int
  ) -> Int? {
    let isLetter = UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
    var start = start
    while start <= last {
      let end = min(start + Self.stride - 1, last)
      let small = place(of: byte, in: text, from: start, upTo: end)
      let before = small.map { $0 - 1 } ?? end
      let capital = isLetter ? place(of: byte - 0x20, in: text, from: start, upTo: before) : nil
      if let found = capital ?? small { return found }
      start = end + 1
    }
    return nil
  }

  /// Returns the first place at which the rarest byte of the letters would be this byte.
  private func place(
    of byte: UInt8, in text: UnsafeRawBufferPointer, from start: Int, upTo last: Int
  ) -> Int? {
    guard start <= last, let address = text.baseAddress else { return nil }
    // Safety: from the last place on, all letters end within the text, and so does the rarest of them.
    let first = address + start + Int(rarest)
    let found = memchr(first, Int32(byte), last - start + 1)
    return found.map { start + (UnsafeRawPointer($0) - first) }
  }

  /// The rarity of each byte value. Letters are ranked by their frequency in most languages. In UTF-8, the
  /// first bytes of the letters of a script are few, and each is frequent.
  private static let rarity: [UInt8] = {
    var rarity = [UInt8](repeating: 50, count: 256)
    for (index, byte) in " eatinosrludcmphgfbvykwzxjq0123456789".utf8.enumerated() {
      rarity[Int(byte)] = UInt8(index)
    }
    for byte in 0x80...0xBF { rarity[byte] = 15 }
    for byte in 0xC0...0xFF { rarity[byte] = 2 }
    return rarity
  }()
}
