import Glibc

/// Text as it is looked for: without regard to case and accents.
///
///     let text = FoldedText("Crème brûlée")
///     print(text.contains(FoldedText("BRULE")))  // true
///
/// To know that a word is not contained mostly takes some nanoseconds, however long the text is.
public struct FoldedText: Sendable, Hashable {
  /// UTF-8, which ends with a zero and has none before.
  private let storage: [UInt8]
  private let traces: LetterTraces
  /// The places of the two bytes, of the first ones, that are met least often in other texts.
  private let rarest, nextRarest: Int

  /// Folds a text.
  public init(_ text: String) {
    var bytes = Array(text.utf8)
    bytes.reserveCapacity(bytes.count + 1)
    if bytes.allSatisfy({ $0 < 0x80 }) {
      for index in bytes.indices { bytes[index] = Self.folded(bytes[index]) }
    } else {
      bytes.removeAll(keepingCapacity: true)
      for scalar in text.unicodeScalars { Self.fold(scalar, into: &bytes) }
    }
    bytes.append(0)
    storage = bytes
    traces = bytes.withUnsafeBufferPointer {
      LetterTraces(of: UnsafeBufferPointer(rebasing: $0.dropLast()))
    }
    (rarest, nextRarest) = Self.rareLetters(of: bytes.dropLast())
  }

  /// What it is folded to, as UTF-8. A zero has become a one.
  public var bytes: ArraySlice<UInt8> { storage.dropLast() }

  /// Whether nothing is left of the text.
  public var isEmpty: Bool { storage.count == 1 }

  /// Whether another text is a part of this one.
  public func contains(_ part: FoldedText) -> Bool {
    mayContain(part) && firstRange(of: part, from: 0) != nil
  }

  /// Whether all of some texts are parts of this one. That one of them is missing is mostly known
  /// before any is looked for.
  public func contains(allOf parts: [FoldedText]) -> Bool {
    parts.allSatisfy { mayContain($0) } && parts.allSatisfy { firstRange(of: $0, from: 0) != nil }
  }

  /// Whether it begins with another text.
  public func hasPrefix(_ part: FoldedText) -> Bool { storage.starts(with: part.bytes) }

  /// Where another text is, as indices of ``bytes``; an empty one is nowhere.
  public func ranges(of part: FoldedText) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    guard !part.isEmpty, mayContain(part) else { return ranges }
    while let next = firstRange(of: part, from: ranges.last?.upperBound ?? 0) {
      ranges.append(next)
    }
    return ranges
  }

  /// Where in a text its folded bytes come from, one index for each and the end of the text.
  ///
  ///     let text = "Crème"
  ///     let indices = FoldedText.indices(of: text)
  ///     for range in FoldedText(text).ranges(of: FoldedText("em")) {
  ///       print(text[indices[range.lowerBound]..<indices[range.upperBound]])  // èm
  ///     }
  public static func indices(of text: String) -> [String.Index] {
    var indices: [String.Index] = []
    var bytes: [UInt8] = []
    for index in text.unicodeScalars.indices {
      fold(text.unicodeScalars[index], into: &bytes)
      while indices.count < bytes.count { indices.append(index) }
    }
    return indices + [text.endIndex]
  }

  private func mayContain(_ part: FoldedText) -> Bool {
    part.storage.withUnsafeBufferPointer {
      traces.mayContain(UnsafeBufferPointer(rebasing: $0.dropLast()))
    }
  }

  private func firstRange(of part: FoldedText, from start: Int) -> Range<Int>? {
    let count = part.storage.count - 1
    if count == 0 { return start..<start }
    return firstPlace(of: part, from: start).map { $0..<$0 + count }
  }

  /// Of a long text, 64 places are looked at in one go: two rare letters must stand where they should.
  private func firstPlace(of part: FoldedText, from start: Int) -> Int? {
    let count = part.storage.count - 1
    let last = storage.count - 1 - count
    return storage.withUnsafeBytes { text in
      part.storage.withUnsafeBytes { sought in
        guard let text = text.baseAddress, let sought = sought.baseAddress else { return nil }
        if last < start { return nil }
        // Safety: the text goes on after the last place by as much as the part.
        if count == 1 {
          let found = memchr(text + start, Int32(part.storage[0]), last + 1 - start)
          return found.map { UnsafeRawPointer($0) - text }
        }
        // Safety: at the last place the part ends where the text does.
        func isAt(_ place: Int) -> Bool { memcmp(text + place, sought, count) == 0 }
        if last - start < 63 { return (start...last).first(where: isAt) }
        let one = SIMD64(repeating: part.storage[part.rarest])
        let other = SIMD64(repeating: part.storage[part.nextRarest])
        var place = start
        while place <= last {
          // The last go takes some places again, so that it has as many.
          place = min(place, last - 63)
          // Safety: at the last of the 64 places the part ends within the text.
          let ones = (text + place + part.rarest).loadUnaligned(as: SIMD64<UInt8>.self)
          let others = (text + place + part.nextRarest).loadUnaligned(as: SIMD64<UInt8>.self)
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
    }
  }

  /// Where the two bytes are, of the first ones, that are met least often in other texts.
  private static func rareLetters(of bytes: ArraySlice<UInt8>) -> (Int, Int) {
    var (rarest, next) = (0, min(1, max(bytes.count - 1, 0)))
    for place in bytes.indices.prefix(32) {
      if rarity[Int(bytes[place])] > rarity[Int(bytes[rarest])] {
        (rarest, next) = (place, rarest)
      } else if place != rarest, rarity[Int(bytes[place])] > rarity[Int(bytes[next])] {
        next = place
      }
    }
    return (rarest, next)
  }

  /// How rare bytes are: the letters as in most languages, and all else, which comes with accents.
  private static let rarity: [UInt8] = {
    var rarity = [UInt8](repeating: 50, count: 256)
    for (index, byte) in " eatinosrludcmphgfbvykwzxjq0123456789".utf8.enumerated() {
      rarity[Int(byte)] = UInt8(index)
    }
    return rarity
  }()

  // MARK: - Folding

  private static let letters: [Unicode.Scalar: [UInt8]] = {
    var letters: [Unicode.Scalar: [UInt8]] = [:]
    for entry in FoldingTable.entries.unicodeScalars.split(separator: " ") {
      guard let letter = entry.first else { continue }
      letters[letter] = Array(String(String.UnicodeScalarView(entry.dropFirst())).utf8)
    }
    return letters
  }()

  /// Adds what a scalar is folded to; nothing for an accent that is one of its own.
  private static func fold(_ scalar: Unicode.Scalar, into bytes: inout [UInt8]) {
    if scalar.isASCII { return bytes.append(folded(UInt8(truncatingIfNeeded: scalar.value))) }
    foldOther(scalar, into: &bytes)
  }

  private static func folded(_ byte: UInt8) -> UInt8 {
    byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : max(byte, 1)
  }

  /// Apart, so that what it needs to know is not asked for where it is not needed.
  @inline(never)
  private static func foldOther(_ scalar: Unicode.Scalar, into bytes: inout [UInt8]) {
    if scalar.properties.generalCategory == .nonspacingMark { return }
    for letter in scalar.properties.lowercaseMapping.unicodeScalars {
      if let folded = letters[letter] {
        bytes += folded
      } else if letter == scalar || letter.properties.generalCategory != .nonspacingMark {
        bytes += UTF8.encode(letter) ?? UTF8.encodedReplacementCharacter
      }
    }
  }
}

extension FoldedText: Comparable {
  /// By the letters, from the first on.
  public static func < (one: FoldedText, other: FoldedText) -> Bool {
    one.storage.lexicographicallyPrecedes(other.storage)
  }
}
