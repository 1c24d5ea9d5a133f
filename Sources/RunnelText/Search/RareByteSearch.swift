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
    let isLetter = UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
    // The next places at which the byte is, as a small and as a capital letter.
    var small = place(of: byte, in: text, from: start, upTo: last)
    var capital = isLetter ? place(of: byte - 0x20, in: text, from: start, upTo: last) : nil
    while small != nil || capital != nil {
      let place = min(small ?? .max, capital ?? .max)
      if letters.indices.allSatisfy({ text[place + $0].folded == letters[$0].folded }) {
        return place
      }
      if place == small {
        small = self.place(of: byte, in: text, from: place + 1, upTo: last)
      } else {
        capital = self.place(of: byte - 0x20, in: text, from: place + 1, upTo: last)
      }
    }
    return nil
  }

  /// Returns the first place at which the text can begin, because the rarest byte has this value there.
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
