import Glibc

/// Text as it is looked for: without regard to case and accents.
///
///     let text = FoldedText("Crème brûlée")
///     print(text.contains(FoldedText("BRULE")))  // true
///
/// To know that one of a few letters is not contained takes some nanoseconds, however long the text
/// is: of each two and three letters that follow one another it has a bit.
public struct FoldedText: Sendable, Hashable {
  /// UTF-8, which ends with a zero and has none before.
  private let storage: [UInt8]
  /// The bits of the letters that follow one another.
  private let traces: [UInt64]

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
    traces = Self.traces(of: bytes.dropLast())
  }

  /// What it is folded to, as UTF-8. A zero has become a one.
  public var bytes: ArraySlice<UInt8> { storage.dropLast() }

  /// Whether nothing is left of the text.
  public var isEmpty: Bool { storage.count == 1 }

  /// Whether another text is a part of this one.
  public func contains(_ part: FoldedText) -> Bool { firstRange(of: part, from: 0) != nil }

  /// Whether it begins with another text.
  public func hasPrefix(_ part: FoldedText) -> Bool { storage.starts(with: part.bytes) }

  /// Where another text is, as indices of ``bytes``; an empty one is nowhere.
  public func ranges(of part: FoldedText) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    guard !part.isEmpty else { return ranges }
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

  private func firstRange(of part: FoldedText, from start: Int) -> Range<Int>? {
    for index in traces.indices where part.traces[index] & ~traces[index] != 0 { return nil }
    let count = part.bytes.count
    guard let anchor = part.rarest else { return start..<start }
    return storage.withUnsafeBytes { text in
      part.storage.withUnsafeBytes { sought in
        guard let all = text.baseAddress, let sought = sought.baseAddress else { return nil }
        let byte = Int32(sought.load(fromByteOffset: anchor, as: UInt8.self))
        // The last place where it may be: the text ends with one byte more.
        let end = text.count - count + anchor
        var next = start + anchor
        // Safety: what is looked at lies before the end.
        while next < end, let found = memchr(all + next, byte, end - next) {
          let place = UnsafeRawPointer(found) - all - anchor
          if memcmp(all + place, sought, count) == 0 { return place..<place + count }
          next = place + anchor + 1
        }
        return nil
      }
    }
  }

  /// Where the byte is that is met least often in other texts; nil if there is none.
  private var rarest: Int? {
    bytes.indices.max { Self.rarity[Int(bytes[$0])] < Self.rarity[Int(bytes[$1])] }
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

  // MARK: - Traces

  private static let traceBits = 12

  private static func traces(of bytes: ArraySlice<UInt8>) -> [UInt64] {
    var traces = [UInt64](repeating: 0, count: 1 << (traceBits - 6))
    traces.withUnsafeMutableBufferPointer { traces in
      func leave(_ letters: UInt32) {
        let place = Int((letters &* 0x9E37_79B1) >> (32 - traceBits))
        traces[place >> 6] |= 1 << UInt64(place & 63)
      }
      var last: UInt32 = 0
      for (index, byte) in bytes.enumerated() {
        last = (last << 8 | UInt32(byte)) & 0xFF_FFFF
        if index >= 1 { leave(last & 0xFFFF) }
        if index >= 2 { leave(last) }
      }
    }
    return traces
  }
}

extension FoldedText: Comparable {
  /// By the letters, from the first on.
  public static func < (one: FoldedText, other: FoldedText) -> Bool {
    one.storage.lexicographicallyPrecedes(other.storage)
  }
}
