/// A search query, as a user types it: words, phrases in quotation marks, and tags.
///
///     let query = SearchQuery("milk \"two bottles\" tag:shopping")
///     print(query.matches(FoldedText("Two bottles of milk #shopping")))  // true
///
/// A text matches if it contains each term. Case and accents are ignored.
public struct SearchQuery: Sendable {
  /// A tag, written as `#work`, or as `work` in a line that begins with `tags:`.
  fileprivate struct Tag: Sendable {
    let marked, name: FoldedText
  }

  private var texts: [FoldedText] = []
  private var tags: [Tag] = []

  /// Creates a query for one phrase, which may contain spaces and quotation marks.
  public init(phrase: String) { texts = [FoldedText(phrase)] }

  /// Creates a query from words, phrases in quotation marks, and tags such as `tag:work`.
  public init(_ text: String) {
    // Parts with an odd index are between quotation marks.
    for (index, part) in text.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
    {
      let words = index % 2 == 1 ? [part] : part.split(whereSeparator: \.isWhitespace)
      for word in words where !word.isEmpty {
        if index % 2 == 0 && word.lowercased().hasPrefix("tag:") {
          let name = String(word.dropFirst(4).drop { $0 == "#" })
          if !name.isEmpty {
            tags.append(Tag(marked: FoldedText("#" + name), name: FoldedText(name)))
          }
        } else {
          texts.append(FoldedText(String(word)))
        }
      }
    }
    // The longest term is checked first: it excludes most notes.
    texts.sort { $0.bytes.count > $1.bytes.count }
  }

  /// True if the query has no term, and matches every text.
  public var isEmpty: Bool { texts.isEmpty && tags.isEmpty }

  /// Returns true if each term is in a title or in the text below it.
  public func matches(_ title: FoldedText, _ text: FoldedText = FoldedText("")) -> Bool {
    texts.allSatisfy { title.contains($0) || text.contains($0) }
      && tags.allSatisfy { text.has($0) || title.has($0) }
  }

  /// Returns the ranges of a text that match a term of the query, in order. Each has at least one
  /// character, and no two have the same start.
  public func hits(in text: String) -> [Range<String.Index>] {
    if isEmpty { return [] }
    let folded = FoldedText(text)
    let ranges =
      texts.flatMap { folded.ranges(of: $0) }
      + tags.flatMap { folded.ranges(of: $0.marked, $0.name) }
    return FoldedText.characters(ranges, of: text)
  }
}

extension FoldedText {
  private static let tags = FoldedText("tags:")

  fileprivate func has(_ tag: SearchQuery.Tag) -> Bool { !ranges(of: tag.marked, tag.name).isEmpty }

  /// Returns the ranges of a tag's name, where it is a word of its own.
  fileprivate func ranges(of marked: FoldedText, _ name: FoldedText) -> [Range<Int>] {
    // Most texts have no such word.
    lazy var bytes = self.bytes
    func isAlone(_ range: Range<Int>) -> Bool {
      bytes[..<range.lowerBound].last?.isPartOfTag != true
        && bytes[range.upperBound...].first?.isPartOfTag != true
    }
    let listed = contains(Self.tags) ? ranges(of: name) : []
    return ranges(of: marked).filter(isAlone).map { $0.lowerBound + 1..<$0.upperBound }
      + listed.filter {
        let before = bytes[..<$0.lowerBound]
        return isAlone($0) && before.last != UInt8(ascii: "#")
          && before.lastLine.starts(with: Self.tags.bytes)
      }
  }

  /// The names of all tags in the text, without case and accents: the words after `#`, and the words of
  /// lines that begin with `tags:`.
  public var tagNames: [String] {
    let bytes = bytes
    let marked = bytes.indices.filter {
      bytes[$0] == UInt8(ascii: "#") && bytes[..<$0].last?.isPartOfTag != true
    }.map { bytes[($0 + 1)...].prefix(while: \.isPartOfTag) }
    let listed = ranges(of: Self.tags).filter { bytes[..<$0.lowerBound].lastLine.isEmpty }
      .flatMap {
        bytes[$0.upperBound...].prefix { $0 != UInt8(ascii: "\n") }.split { !$0.isPartOfTag }
      }
    return (marked + listed).filter { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
  }
}

extension ArraySlice<UInt8> {
  fileprivate var lastLine: ArraySlice {
    self[(lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? startIndex)...]
  }
}

extension UInt8 {
  /// True for letters, digits, "-" and "_". Letters are already folded to lower case.
  fileprivate var isPartOfTag: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...: true
    default: self == UInt8(ascii: "-") || self == UInt8(ascii: "_")
    }
  }
}
