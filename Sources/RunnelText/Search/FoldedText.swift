/// A text prepared for search, which ignores case, accents, and the width of Latin letters and kana.
///
///     let text = FoldedText("Crème brûlée")
///     print(text.contains(FoldedText("BRULE")))  // true
///
/// An index of letter pairs and triples rejects most words that the text does not contain. This
/// takes the same time for texts of any length.
public struct FoldedText: Sendable {
  /// The folded text in UTF-8, with one zero byte at its end and none before.
  private let storage: [UInt8]
  /// The number of bytes without the zero. It is stored here because the array's header is usually
  /// not in the CPU cache.
  private let count: Int
  private let ngrams: NGramIndex
  private let rareBytes: RareByteSearch

  /// Creates the folded form of a text.
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

  /// The folded text in UTF-8. A zero in the text becomes a one.
  public var bytes: ArraySlice<UInt8> { storage.dropLast() }

  /// True when the folded text is empty.
  public var isEmpty: Bool { count == 0 }

  /// Returns true if this text contains another one.
  public func contains(_ part: FoldedText) -> Bool {
    firstPlace(of: part, from: 0) != nil
  }

  /// Returns true if this text contains all of the given texts. The index usually rejects a missing
  /// one before any search begins.
  public func contains(allOf parts: [FoldedText]) -> Bool {
    if parts.count > 1 && !parts.allSatisfy({ blocks(for: $0) != 0 }) { return false }
    return parts.allSatisfy { contains($0) }
  }

  /// Returns true if this text begins with another one.
  public func hasPrefix(_ part: FoldedText) -> Bool { storage.starts(with: part.bytes) }

  /// Returns the places of another text, as ranges of indices of ``bytes``. An empty text is never
  /// found.
  public func ranges(of part: FoldedText) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    if part.isEmpty { return ranges }
    while let place = firstPlace(of: part, from: ranges.last?.upperBound ?? 0) {
      ranges.append(place..<place + part.bytes.count)
    }
    return ranges
  }

  /// Returns the characters of a text that were folded to some ranges of ``bytes``, in the order of
  /// the text. Of several ranges with the same start, the longest one is returned.
  ///
  ///     let text = "Crème"
  ///     for range in FoldedText.characters(FoldedText(text).ranges(of: FoldedText("em")), of: text) {
  ///       print(text[range])  // èm
  ///     }
  public static func characters(
    _ ranges: [Range<Int>], of text: String
  ) -> [Range<String.Index>] {
    if ranges.isEmpty { return [] }
    let indices = indices(of: text)
    let sorted = ranges.filter { !$0.isEmpty }
      .map { text.characters(from: indices[$0.lowerBound], through: indices[$0.upperBound - 1]) }
      .sorted { ($0.lowerBound, $1.upperBound) < ($1.lowerBound, $0.upperBound) }
    return zip(sorted, [nil] + sorted.dropLast()).filter { $0.lowerBound != $1?.lowerBound }
      .map(\.0)
  }

  /// Returns the index in a text of the scalar that each folded byte comes from.
  private static func indices(of text: String) -> [String.Index] {
    var indices: [String.Index] = []
    var bytes: [UInt8] = []
    for index in text.unicodeScalars.indices {
      fold(text.unicodeScalars[index], into: &bytes)
      while indices.count < bytes.count { indices.append(index) }
    }
    return indices
  }

  /// Returns the blocks of the text in which a part can begin.
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
          // Safety: a part that begins at the last place ends at the end of the text.
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

  /// Appends the folded form of a scalar, which is empty for a separate accent.
  private static func fold(_ scalar: Unicode.Scalar, into bytes: inout [UInt8]) {
    if scalar.isASCII { return bytes.append(folded(UInt8(truncatingIfNeeded: scalar.value))) }
    foldOther(scalar, into: &bytes)
  }

  private static func folded(_ byte: UInt8) -> UInt8 {
    byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : max(byte, 1)
  }

  /// Appends the folded form of a scalar that is not ASCII.
  ///
  /// It is not inlined, so that ASCII text does not pay for its preparations.
  @inline(never)
  private static func foldOther(_ scalar: Unicode.Scalar, into bytes: inout [UInt8]) {
    if scalar.isAccent { return }
    for letter in scalar.properties.lowercaseMapping.unicodeScalars {
      if let folded = letters[letter] {
        bytes += folded
      } else if letter == scalar || !letter.isAccent {
        bytes += UTF8.encode(letter) ?? UTF8.encodedReplacementCharacter
      }
    }
  }
}

extension Unicode.Scalar {
  /// True for a separate accent. The narrow accents of kana are letters to Unicode.
  fileprivate var isAccent: Bool {
    properties.generalCategory == .nonspacingMark || (0xFF9E...0xFF9F).contains(value)
  }
}

extension String {
  /// Returns the range of the characters that contain two scalars, and of those between them.
  fileprivate func characters(from first: Index, through last: Index) -> Range<Index> {
    index(before: index(after: first))..<index(after: last)
  }
}

extension FoldedText: Comparable {
  /// Returns true if the first text is less in the lexicographic order of the folded bytes.
  public static func < (one: FoldedText, other: FoldedText) -> Bool {
    one.storage.lexicographicallyPrecedes(other.storage)
  }
}

// The other stored properties are derived from `storage`.
extension FoldedText: Hashable {
  /// Returns true if the folded texts are equal.
  public static func == (one: FoldedText, other: FoldedText) -> Bool {
    one.storage == other.storage
  }

  /// Hashes the folded text.
  public func hash(into hasher: inout Hasher) { hasher.combine(storage) }
}
