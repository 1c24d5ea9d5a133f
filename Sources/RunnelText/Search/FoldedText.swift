/// Text as it is looked for: without regard to case and accents.
///
///     let text = FoldedText("Crème brûlée")
///     print(text.contains(FoldedText("BRULE")))  // true
///
/// To know that a word is not contained mostly takes some nanoseconds, however long the text is.
public struct FoldedText: Sendable {
  /// UTF-8, which ends with a zero and has none before.
  private let storage: [UInt8]
  /// Without the zero; here too, for what is in the storage is mostly not in the cache.
  private let count: Int
  private let ngrams: NGramIndex
  private let rareBytes: RareByteSearch

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
    count = bytes.count - 1
    ngrams = bytes.withUnsafeBufferPointer {
      NGramIndex(of: UnsafeBufferPointer(rebasing: $0.dropLast()))
    }
    rareBytes = RareByteSearch(of: bytes.dropLast())
  }

  /// What it is folded to, as UTF-8. A zero has become a one.
  public var bytes: ArraySlice<UInt8> { storage.dropLast() }

  /// Whether nothing is left of the text.
  public var isEmpty: Bool { count == 0 }

  /// Whether another text is a part of this one.
  public func contains(_ part: FoldedText) -> Bool {
    firstPlace(of: part, from: 0) != nil
  }

  /// Whether all of some texts are parts of this one. That one of them is missing is mostly known
  /// before any is looked for.
  public func contains(allOf parts: [FoldedText]) -> Bool {
    if parts.count > 1 && !parts.allSatisfy({ blocks(for: $0) != 0 }) { return false }
    return parts.allSatisfy { contains($0) }
  }

  /// Whether it begins with another text.
  public func hasPrefix(_ part: FoldedText) -> Bool { storage.starts(with: part.bytes) }

  /// Where another text is, as indices of ``bytes``; an empty one is nowhere.
  public func ranges(of part: FoldedText) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    if part.isEmpty { return ranges }
    while let place = firstPlace(of: part, from: ranges.last?.upperBound ?? 0) {
      ranges.append(place..<place + part.bytes.count)
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

  /// Where a part can begin.
  private func blocks(for part: FoldedText) -> NGramIndex.Blocks {
    part.storage.withUnsafeBufferPointer {
      ngrams.blocks(
        for: UnsafeBufferPointer(rebasing: $0.dropLast()), with: part.ngrams)
    }
  }

  private func firstPlace(of part: FoldedText, from start: Int) -> Int? {
    if part.count == 0 { return start }
    let last = count - part.count
    var blocks = blocks(for: part)
    return storage.withUnsafeBytes { text in
      part.storage.withUnsafeBytes { letters in
        guard let text = text.baseAddress, let letters = letters.baseAddress else { return nil }
        while blocks != 0 {
          let places = ngrams.places(of: blocks.trailingZeroBitCount)
          blocks &= blocks - 1
          if places.upperBound <= start { continue }
          // Safety: at the last place the part ends where the text does.
          let found = part.rareBytes.firstPlace(
            of: letters, part.count, in: text, from: max(places.lowerBound, start),
            upTo: places.upperBound, last: last)
          if let found { return found }
        }
        return nil
      }
    }
  }

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

// The rest follows from the letters.
extension FoldedText: Hashable {
  /// By the letters.
  public static func == (one: FoldedText, other: FoldedText) -> Bool {
    one.storage == other.storage
  }

  /// By the letters.
  public func hash(into hasher: inout Hasher) { hasher.combine(storage) }
}
