import Foundation
import Synchronization

/// Text as it is looked for: without regard to case and accents.
///
/// Of each two and three letters that follow one another a bit is kept. Most texts that do not contain
/// something are known by them, without being read.
struct FoldedText: Sendable, Equatable {
  /// They end with a zero, and have none before.
  let bytes: [UInt8]
  private let letters: [UInt64]

  init(_ text: String) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count + 1)
    for scalar in text.unicodeScalars { Self.fold(scalar, into: &bytes) }
    bytes.append(0)
    self.bytes = bytes
    letters = Self.letters(of: bytes)
  }

  var isEmpty: Bool { bytes.count == 1 }

  func contains(_ part: FoldedText) -> Bool { firstRange(of: part, from: 0) != nil }

  func firstRange(of part: FoldedText, from start: Int) -> Range<Int>? {
    for (mine, theirs) in zip(letters, part.letters) where theirs & ~mine != 0 { return nil }
    return bytes.withUnsafeBufferPointer { text in
      part.bytes.withUnsafeBufferPointer { part in
        // Safety: both end with a zero, and `start` is before that of the text.
        let characters = UnsafeRawPointer(text.baseAddress.unsafelyUnwrapped + start)
        let place = strstr(
          characters.assumingMemoryBound(to: CChar.self),
          UnsafeRawPointer(part.baseAddress.unsafelyUnwrapped).assumingMemoryBound(to: CChar.self))
        guard let place else { return nil }
        let offset = start + (UnsafeRawPointer(place) - characters)
        return offset..<offset + part.count - 1
      }
    }
  }

  // MARK: - Folding

  private static let known = Mutex<[Unicode.Scalar: [UInt8]]>([:])

  /// Adds what a scalar is folded to: itself, something else, or nothing.
  static func fold(_ scalar: Unicode.Scalar, into bytes: inout [UInt8]) {
    if scalar.isASCII {
      let byte = UInt8(truncatingIfNeeded: scalar.value)
      let isUppercase = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
      // A zero would be the end.
      return bytes.append(isUppercase ? byte | 0x20 : max(byte, 1))
    }
    bytes += known.withLock { known in
      if let bytes = known[scalar] { return bytes }
      let text = String(Character(scalar))
      let folded = text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
      let bytes = scalar.properties.generalCategory == .nonspacingMark ? [] : Array(folded.utf8)
      known[scalar] = bytes
      return bytes
    }
  }

  // MARK: - Letters

  private static func letters(of bytes: [UInt8]) -> [UInt64] {
    var bits = [UInt64](repeating: 0, count: 64)
    bits.withUnsafeMutableBufferPointer { bits in
      func note(_ key: UInt32) {
        let place = (key &* 0x9E37_79B1) >> 20
        bits[Int(place >> 6)] |= 1 << UInt64(place & 63)
      }
      var last: UInt32 = 0
      for (index, byte) in bytes.dropLast().enumerated() {
        last = last << 8 | UInt32(byte)
        if index >= 1 { note(last & 0xFFFF) }
        if index >= 2 { note(last & 0xFF_FFFF) }
      }
    }
    return bits
  }
}
