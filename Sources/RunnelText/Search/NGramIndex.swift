/// About where each two and three letters are in a text. What is not in it is mostly known in some nanoseconds,
/// however long it is; what is there is looked for in few places.
struct NGramIndex: Sendable {
  /// Up to eight blocks that a text is divided into, as bits: which of them something may begin in.
  typealias Blocks = UInt8

  /// A bit for each byte that is there; those past 127 share them with the ones before.
  private let letters: SIMD2<UInt64>
  /// As a power of two, a block has so many letters.
  private let digitsOfBlock: UInt8
  /// As a power of two, there are so many marks; several letters share one.
  private let digitsOfMark: UInt8
  /// For each mark, where its letters begin.
  private let blocks: [Blocks]

  init(of letters: UnsafeBufferPointer<UInt8>) {
    let digits = Int.bitWidth - letters.count.leadingZeroBitCount
    let digitsOfBlock = UInt8(max(0, digits - 3))
    // There are some ten thousand that languages have.
    let digitsOfMark = UInt8(min(max(digits - 1, 4), 16))
    var seen = SIMD2<UInt64>()
    blocks = [Blocks](unsafeUninitializedCapacity: 1 << digitsOfMark) { blocks, count in
      count = 1 << digitsOfMark
      blocks.initialize(repeating: 0)
      // Here, and not where they would have to be read anew after each mark.
      var (low, high): (UInt64, UInt64) = (0, 0)
      var next: UInt64 = 0
      for place in letters.indices.reversed() {
        let letter = UInt64(letters[place])
        let half = letter >> 6 & 1
        low |= (half ^ 1) << (letter & 63)
        high |= half << (letter & 63)
        next = next << 8 | letter
        let block: Blocks = 1 << (place >> digitsOfBlock)
        // Safety: there are as many as marks.
        blocks[Self.mark(next & 0xFFFF, digitsOfMark)] |= block
        blocks[Self.mark(next & 0xFF_FFFF, digitsOfMark)] |= block
      }
      seen = SIMD2(low, high)
    }
    self.letters = seen
    self.digitsOfBlock = digitsOfBlock
    self.digitsOfMark = digitsOfMark
  }

  /// Where letters with blocks of their own can begin. Where they are none, those are nowhere.
  func blocks(for part: UnsafeBufferPointer<UInt8>, with own: NGramIndex) -> Blocks {
    guard own.letters & ~letters == SIMD2() else { return 0 }
    var found: Blocks = .max
    return blocks.withUnsafeBufferPointer { blocks in
      // What is further on than the next block is not asked for.
      let count = min(part.count - (part.count > 2 ? 2 : 1), 1 << digitsOfBlock)
      for index in 0..<max(0, count) where found != 0 {
        var letters = UInt64(part[index]) | UInt64(part[index + 1]) << 8
        if part.count > 2 { letters |= UInt64(part[index + 2]) << 16 }
        // Safety: there are as many as marks. That it is not checked keeps away from their count, which lies
        // elsewhere in memory.
        let here = blocks[Self.mark(letters, digitsOfMark)]
        found &= index == 0 ? here : here | here >> 1
      }
      return found
    }
  }

  /// The places of a block, which are more than there are in the last one.
  func places(of block: Int) -> Range<Int> { block << digitsOfBlock..<(block + 1) << digitsOfBlock }

  private static func mark(_ letters: UInt64, _ digits: UInt8) -> Int {
    Int((letters &* 0x9E37_79B9_7F4A_7C15) >> (64 - UInt64(digits)))
  }
}
