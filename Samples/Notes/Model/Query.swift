/// What is looked for: `milk "the red cow" tag:shopping` means notes with all three.
struct Query: Sendable {
  private enum Term {
    case text(FoldedText)
    /// `#work`, or `work` in a line that begins with `tags:`.
    case tag(FoldedText)
  }

  private var terms: [Term] = []

  init(_ text: String) {
    var rest = text[...]
    while let first = rest.first {
      let isPhrase = first == "\""
      if isPhrase || first.isWhitespace { rest.removeFirst() }
      guard isPhrase || !first.isWhitespace else { continue }
      let word = rest.prefix { isPhrase ? $0 != "\"" : !$0.isWhitespace && $0 != "\"" }
      rest = rest[word.endIndex...]
      if isPhrase && !rest.isEmpty { rest.removeFirst() }
      let isTag = !isPhrase && word.lowercased().hasPrefix("tag:")
      let folded = FoldedText(String(isTag ? word.dropFirst(4) : word))
      if !folded.isEmpty { terms.append(isTag ? .tag(folded) : .text(folded)) }
    }
  }

  /// Whether it says nothing, so that all notes are meant.
  var isEmpty: Bool { terms.isEmpty }

  func matches(_ note: Note) -> Bool {
    terms.allSatisfy { term in
      switch term {
      case .text(let part): note.folded.contains(part)
      case .tag(let tag): !note.folded.ranges(ofTag: tag).isEmpty
      }
    }
  }

  /// Where it is found in a text, from the beginning to the end.
  func hits(in text: String) -> [Range<String.Index>] {
    guard !isEmpty else { return [] }
    let folded = FoldedText(text)
    let found = terms.flatMap { term in
      switch term {
      case .text(let part): folded.ranges(of: part)
      case .tag(let tag): folded.ranges(ofTag: tag)
      }
    }
    // Where each folded byte comes from.
    var places: [String.Index] = []
    for index in text.unicodeScalars.indices {
      var bytes: [UInt8] = []
      FoldedText.fold(text.unicodeScalars[index], into: &bytes)
      for _ in bytes { places.append(index) }
    }
    places.append(text.endIndex)
    return found.sorted { $0.lowerBound < $1.lowerBound }.map {
      places[$0.lowerBound]..<places[$0.upperBound]
    }
  }

  /// The first title that begins like what has been typed.
  static func completion(of typed: String, among titles: some Sequence<String>) -> String? {
    let folded = FoldedText(typed)
    guard !folded.isEmpty else { return nil }
    return titles.first { FoldedText($0).bytes.starts(with: folded.bytes.dropLast()) }
  }
}

extension FoldedText {
  func ranges(of part: FoldedText) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    while let next = firstRange(of: part, from: ranges.last?.upperBound ?? 0) {
      ranges.append(next)
    }
    return ranges
  }

  /// Where a tag stands, with no other letter before or after it.
  fileprivate func ranges(ofTag tag: FoldedText) -> [Range<Int>] {
    ranges(of: tag).filter { range in
      let start = range.lowerBound
      if Self.isPartOfTag(bytes[range.upperBound]) || start == 0 { return false }
      if bytes[start - 1] == UInt8(ascii: "#") {
        return start == 1 || !Self.isPartOfTag(bytes[start - 2])
      }
      let line = bytes[..<start].split(
        separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
      ).last
      return !Self.isPartOfTag(bytes[start - 1]) && line?.starts(with: "tags:".utf8) == true
    }
  }

  private static func isPartOfTag(_ byte: UInt8) -> Bool {
    byte >= 0x80 || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
      || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
      || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
  }
}
