/// Bits of each two and three letters that follow one another in a text: that something is not in it is
/// mostly known in some nanoseconds, however long the text is.
struct LetterTraces: Hashable, Sendable {
  /// As many as a power of two.
  private let words: [UInt64]

  init(of letters: UnsafeBufferPointer<UInt8>) {
    // With four bits or more for a letter, at most half of them is set in the end.
    let digits = max(6, Int.bitWidth - letters.count.leadingZeroBitCount + 2)
    var words = [UInt64](repeating: 0, count: 1 << (digits - 6))
    words.withUnsafeMutableBufferPointer { words in
      // Safety: there are as many bits as numbers of so many digits.
      func set(_ mark: UInt64) {
        let bit = mark >> UInt64(64 - digits)
        words[Int(bit >> 6)] |= 1 << (bit & 63)
      }
      _ = Self.marks(of: letters) { one, other, third in
        set(one)
        set(other)
        set(third)
        return true
      }
    }
    self.words = words
  }

  /// Whether letters can be a part of the text; if not, they are none.
  func mayContain(_ part: UnsafeBufferPointer<UInt8>) -> Bool {
    let shift = UInt64(58 - words.count.trailingZeroBitCount)
    func isSet(_ mark: UInt64) -> Bool {
      let bit = mark >> shift
      return words[Int(bit >> 6)] >> (bit & 63) & 1 == 1
    }
    return Self.marks(of: part) { isSet($0) && isSet($1) && isSet($2) }
  }

  /// Whether something holds for the marks of each letter but the first: one for it and the one before,
  /// and two for it and the two before, lest those be taken for others that are in every text.
  @inline(__always)
  private static func marks(
    of letters: UnsafeBufferPointer<UInt8>, allSatisfy hold: (UInt64, UInt64, UInt64) -> Bool
  ) -> Bool {
    guard var last = letters.first.map(UInt64.init) else { return true }
    for index in 1..<letters.count {
      last = (last << 8 | UInt64(letters[index])) & 0xFF_FFFF
      let two = scattered(last & 0xFFFF)
      let three = scattered(last)
      if !hold(two, index == 1 ? two : three, index == 1 ? two : three << 14) { return false }
    }
    return true
  }

  private static func scattered(_ letters: UInt64) -> UInt64 { letters &* 0x9E37_79B9_7F4A_7C15 }
}
