import RunnelDesk

/// What is looked for: `milk "the red cow" tag:shopping` means the notes with all three.
struct Query {
  private enum Term {
    case text(FoldedText)
    /// `#work`, or `work` in a line that begins with `tags:`.
    case tag(FoldedText)
  }

  private let terms: [Term]

  init(_ text: String) {
    // Every other part stands between quotation marks.
    let parts = text.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
    terms = parts.flatMap { index, part -> [Term] in
      if index % 2 == 1 { return [.text(FoldedText(String(part)))] }
      return part.split(whereSeparator: \.isWhitespace).map { word in
        word.lowercased().hasPrefix("tag:")
          ? .tag(FoldedText(String(word.dropFirst(4)))) : .text(FoldedText(String(word)))
      }
    }
  }

  func matches(_ note: Note) -> Bool {
    terms.allSatisfy { term in
      switch term {
      case .text(let part): note.folded.contains(part)
      case .tag(let tag): tag.isEmpty || !note.folded.ranges(ofTag: tag).isEmpty
      }
    }
  }

  /// Where it is found in a text.
  func hits(in text: String) -> [Range<String.Index>] {
    let folded = FoldedText(text)
    let ranges = terms.flatMap { term in
      switch term {
      case .text(let part): folded.ranges(of: part)
      case .tag(let tag): folded.ranges(ofTag: tag)
      }
    }
    let indices = ranges.isEmpty ? [] : FoldedText.indices(of: text)
    return ranges.map { indices[$0.lowerBound]..<indices[$0.upperBound] }
      .sorted { $0.lowerBound < $1.lowerBound }
  }
}

extension FoldedText {
  /// Where a tag stands, with no other letter around it.
  fileprivate func ranges(ofTag tag: FoldedText) -> [Range<Int>] {
    ranges(of: tag).filter { range in
      let line = bytes[..<range.lowerBound].suffix { $0 != UInt8(ascii: "\n") }
      let before = line.last == UInt8(ascii: "#") ? line.dropLast() : line
      let isMarked = before.count < line.count || line.starts(with: "tags:".utf8)
      let after = bytes[range.upperBound...].first
      return isMarked && before.last?.isPartOfTag != true && after?.isPartOfTag != true
    }
  }
}

extension ArraySlice {
  /// The elements at the end of which something holds.
  fileprivate func suffix(while holds: (Element) -> Bool) -> ArraySlice {
    self[(lastIndex { !holds($0) }.map { $0 + 1 } ?? startIndex)...]
  }
}

extension UInt8 {
  fileprivate var isPartOfTag: Bool {
    let letter = Character(Unicode.Scalar(self))
    return self >= 0x80 || letter.isLetter || letter.isNumber || letter == "-" || letter == "_"
  }
}
