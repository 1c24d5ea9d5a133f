import RunnelDesk

/// What is looked for: `milk "the red cow" tag:shopping` means the notes with all three.
struct Query {
  private enum Term {
    case text(FoldedText)
    /// `#work`, or `work` in a line that begins with `tags:`.
    case tag(marked: FoldedText, name: FoldedText)

    /// What is looked for first: notes are mostly left out by the longest one.
    var length: Int {
      switch self {
      case .text(let part): part.bytes.count
      case .tag(let marked, _): marked.bytes.count
      }
    }
  }

  private let terms: [Term]

  init(_ text: String) {
    // Every other part stands between quotation marks.
    let parts = text.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
    let terms = parts.flatMap { index, part -> [Term] in
      if index % 2 == 1 { return [.text(FoldedText(String(part)))] }
      return part.split(whereSeparator: \.isWhitespace).map { word in
        guard word.lowercased().hasPrefix("tag:") else { return .text(FoldedText(String(word))) }
        let tag = word.dropFirst(4)
        return .tag(marked: FoldedText("#\(tag)"), name: FoldedText(String(tag)))
      }
    }
    self.terms = terms.sorted { $0.length > $1.length }
  }

  func matches(_ note: Note) -> Bool {
    terms.allSatisfy { term in
      switch term {
      case .text(let part): note.folded.contains(part)
      case .tag(let marked, let name): name.isEmpty || !note.folded.ranges(of: marked, name).isEmpty
      }
    }
  }

  /// Where it is found in a text.
  func hits(in text: String) -> [Range<String.Index>] {
    let folded = FoldedText(text)
    let ranges = terms.flatMap { term in
      switch term {
      case .text(let part): folded.ranges(of: part)
      case .tag(let marked, let name): name.isEmpty ? [] : folded.ranges(of: marked, name)
      }
    }
    let indices = ranges.isEmpty ? [] : FoldedText.indices(of: text)
    return ranges.map { indices[$0.lowerBound]..<indices[$0.upperBound] }
      .sorted { $0.lowerBound < $1.lowerBound }
  }
}

extension FoldedText {
  private static let tags = FoldedText("tags:")

  /// Where a tag stands, with no other letter around it.
  fileprivate func ranges(of marked: FoldedText, _ name: FoldedText) -> [Range<Int>] {
    let listed = contains(Self.tags) ? ranges(of: name) : []
    return ranges(of: marked).filter { isAlone($0) }.map { $0.lowerBound + 1..<$0.upperBound }
      + listed.filter {
        let before = bytes[..<$0.lowerBound]
        return isAlone($0) && before.last != UInt8(ascii: "#")
          && before.lastLine.starts(with: Self.tags.bytes)
      }
  }

  private func isAlone(_ range: Range<Int>) -> Bool {
    bytes[..<range.lowerBound].last?.isPartOfTag != true
      && bytes[range.upperBound...].first?.isPartOfTag != true
  }
}

extension ArraySlice<UInt8> {
  fileprivate var lastLine: ArraySlice {
    self[(lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? startIndex)...]
  }
}

extension UInt8 {
  /// Letters come folded.
  fileprivate var isPartOfTag: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...: true
    default: self == UInt8(ascii: "-") || self == UInt8(ascii: "_")
    }
  }
}
