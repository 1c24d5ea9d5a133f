/// An approximate index of the letter pairs and triples (n-grams) in a text. A letter is one byte.
/// The index rejects most missing words, in a time that does not depend on the length of the text.
/// It limits the search for other words to a few blocks of the text.
struct NGramIndex: Sendable {
  /// The blocks in which a match can begin, as bits. A text is divided into up to eight blocks.
  typealias Blocks = UInt8

  /// One bit for each byte value in the text. Values above 127 share the bits of lower values.
  private let letters: SIMD2<UInt64>
  /// The binary logarithm of the number of letters in a block.
  private let blockBits: UInt8
  /// The binary logarithm of the number of marks. Several n-grams share one mark.
  private let markBits: UInt8
  /// The blocks in which the n-grams of each mark begin.
  private let blocks: [Blocks]

  init(of letters: UnsafeBufferPointer<UInt8>) {
    let digits = Int.bitWidth - letters.count.leadingZeroBitCount
    let blockBits = UInt8(max(0, digits - 3))
    // A language has about ten thousand different n-grams.
    let markBits = UInt8(min(max(digits - 1, 4), 16))
    var seen = SIMD2<UInt64>()
    blocks = [Blocks](unsafeUninitializedCapacity: 1 << markBits) { blocks, count in
      count = 1 << markBits
      blocks.initialize(repeating: 0)
      // These are local variables, because properties would be reloaded after each write to
      // `blocks`.
      var (low, high): (UInt64, UInt64) = (0, 0)
      var next: UInt64 = 0
      for place in letters.indices.reversed() {
        let letter = UInt64(letters[place])
        let half = letter >> 6 & 1
        low |= (half ^ 1) << (letter & 63)
        high |= half << (letter & 63)
        next = next << 8 | letter
        let block: Blocks = 1 << (place >> blockBits)
        // Safety: a mark has `markBits` bits, and there is an element for each mark.
        blocks[Self.mark(next & 0xFFFF, markBits)] |= block
        blocks[Self.mark(next & 0xFF_FFFF, markBits)] |= block
      }
      seen = SIMD2(low, high)
    }
    self.letters = seen
    self.blockBits = blockBits
    self.markBits = markBits
  }

  /// Returns the blocks in which a part can begin, given its own index; zero if the text does not
  /// contain the part.
  func blocks(for part: UnsafeBufferPointer<UInt8>, with own: NGramIndex) -> Blocks {
    guard own.letters & ~letters == SIMD2() else { return 0 }
    var found: Blocks = .max
    return blocks.withUnsafeBufferPointer { blocks in
      // N-grams that would begin beyond the next block are not checked.
      let count = min(part.count - (part.count > 2 ? 2 : 1), 1 << blockBits)
      for index in 0..<max(0, count) where found != 0 {
        var letters = UInt64(part[index]) | UInt64(part[index + 1]) << 8
        if part.count > 2 { letters |= UInt64(part[index + 2]) << 16 }
        // Safety: there is an element for each mark. The unchecked access also avoids loading the
        // array's count from another part of the memory.
        let here = blocks[Self.mark(letters, markBits)]
        found &= index == 0 ? here : here | here >> 1
      }
      return found
    }
  }

  /// The last block may extend beyond the end of the text.
  func places(of block: Int) -> Range<Int> { block << blockBits..<(block + 1) << blockBits }

  private static func mark(_ letters: UInt64, _ digits: UInt8) -> Int {
    Int((letters &* 0x9E37_79B9_7F4A_7C15) >> (64 - UInt64(digits)))
  }
}
