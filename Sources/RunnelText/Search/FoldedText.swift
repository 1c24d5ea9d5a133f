/// A text prepared for search, which ignores case, accents, and the width of Latin letters and kana.
///
///     let text = FoldedText("Crème brûlée")
///     print(text.contains(FoldedText("BRULE")))  // true
public struct FoldedText: Sendable {
  /// The folded text in UTF-8. An ASCII text keeps its capital letters, which are folded where they are
  /// compared, so that it can share the array of a file.
  let storage: [UInt8]
  /// True if ``storage`` may contain capital letters.
  private let hasCapitals: Bool
  private let rareBytes: RareByteSearch

  /// Creates the folded form of a text.
  public init(_ text: String) { self.init(Array(text.utf8)) }

  /// Creates the folded form of a text in UTF-8. An ASCII text shares the array, so that it takes no other
  /// memory.
  public init(_ text: [UInt8]) {
    if text.allSatisfy({ $0 < 0x80 }) {
      storage = text
      hasCapitals = true
    } else {
      var bytes: [UInt8] = []
      bytes.reserveCapacity(text.count)
      for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
        Self.fold(scalar, into: &bytes)
      }
      storage = bytes
      hasCapitals = false
    }
    rareBytes = RareByteSearch(of: storage)
  }

  /// The folded text in UTF-8.
  public var bytes: ArraySlice<UInt8> {
    hasCapitals && storage.contains { $0.folded != $0 } ? storage.map(\.folded)[...] : storage[...]
  }

  /// True when the folded text is empty.
  public var isEmpty: Bool { storage.isEmpty }

  /// Returns true if this text contains another one.
  public func contains(_ part: FoldedText) -> Bool {
    firstPlace(of: part, from: 0) != nil
  }

  /// Returns true if this text begins with another one.
  public func hasPrefix(_ part: FoldedText) -> Bool {
    storage.prefix(part.storage.count).elementsEqual(part.storage) { $0.folded == $1.folded }
  }

  /// Returns the places of another text, as ranges of indices of ``bytes``. An empty text is never
  /// found.
  public func ranges(of part: FoldedText) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    if part.isEmpty { return ranges }
    while let place = firstPlace(of: part, from: ranges.last?.upperBound ?? 0) {
      ranges.append(place..<place + part.storage.count)
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

  private func firstPlace(of part: FoldedText, from start: Int) -> Int? {
    storage.withUnsafeBytes { text in
      part.storage.withUnsafeBytes { part.rareBytes.firstPlace(of: $0, in: text, from: start) }
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
    if scalar.isASCII { return bytes.append(UInt8(truncatingIfNeeded: scalar.value).folded) }
    foldOther(scalar, into: &bytes)
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

extension UInt8 {
  /// The small letter of an ASCII capital letter, or else the byte itself.
  var folded: UInt8 { self &- UInt8(ascii: "A") < 26 ? self | 0x20 : self }
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
    one.storage.lexicographicallyPrecedes(other.storage) { $0.folded < $1.folded }
  }
}

extension FoldedText: Hashable {
  /// Returns true if the folded texts are equal.
  public static func == (one: FoldedText, other: FoldedText) -> Bool {
    let (count, both) = (one.storage.count, zip(one.storage, other.storage))
    return count == other.storage.count && both.allSatisfy { $0 == $1 || $0.folded == $1.folded }
  }

  /// Hashes the folded text.
  public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}
