/// A search query, as a user types it: words, phrases in quotation marks, tags and links.
///
///     let query = SearchQuery("milk \"two bottles\" tag:shopping")
///     print(query.matches(FoldedText("Two bottles of milk #shopping")))  // true
///
/// `link:Milk` and `link:"Milky Way"` find links to a title, such as `[[Milk]]`, `[[Milk#Prices]]` and
/// `[[Milk|a drink]]`.
///
/// A text matches if it contains each term. Case and accents are ignored.
public struct SearchQuery: Sendable {
  /// A tag, written as `#work`, or as `work` in a line that begins with `tags:`.
  fileprivate struct Tag: Sendable {
    let marked, name: FoldedText
  }

  private var texts: [FoldedText] = []
  /// True if there is a phrase between two quotation marks.
  private var hasPhrase = false
  private var tags: [Tag] = []
  /// For each link, what it may begin with: `[[Title]]`, `[[Title#` or `[[Title|`.
  private var links: [[FoldedText]] = []

  /// Creates a query for one phrase, which may contain spaces and quotation marks.
  public init(phrase: String) { texts = [FoldedText(phrase)] }

  /// Creates a query from words, phrases in quotation marks, tags such as `tag:work`, and links.
  public init(_ text: String) {
    var namesLink = false
    // Parts with an odd index are between quotation marks.
    for (index, part) in text.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
    {
      if index % 2 == 0 {
        let words = part.split(whereSeparator: \.isWhitespace)
        for word in words { add(word) }
        namesLink = words.last?.lowercased() == Self.linkMark && part.last == ":"
      } else if namesLink {
        addLink(to: part)
      } else if !part.isEmpty {
        texts.append(FoldedText(String(part)))
        if part.endIndex < text.endIndex { hasPhrase = true }
      }
    }
    // The longest term is checked first: it excludes most notes.
    texts.sort { $0.bytes.count > $1.bytes.count }
  }

  private mutating func add(_ word: Substring) {
    let lowercased = word.lowercased()
    if lowercased.hasPrefix("tag:") {
      let name = String(word.dropFirst(4).drop { $0 == "#" })
      if !name.isEmpty {
        tags.append(Tag(marked: FoldedText("#" + name), name: FoldedText(name)))
      }
    } else if lowercased.hasPrefix(Self.linkMark) {
      addLink(to: word.dropFirst(Self.linkMark.count))
    } else {
      texts.append(FoldedText(String(word)))
    }
  }

  private static let linkMark = "link:"

  private mutating func addLink(to title: Substring) {
    if title.isEmpty { return }
    links.append(["]]", "#", "|"].map { FoldedText("[[\(title)\($0)") })
  }

  /// True if the query has no term, and matches every text.
  public var isEmpty: Bool { texts.isEmpty && tags.isEmpty && links.isEmpty }

  /// True if the query has only words, no phrases, tags or links, so that its text may also be a title.
  public var hasOnlyWords: Bool { tags.isEmpty && links.isEmpty && !hasPhrase }

  /// Returns true if each term is in a title or in the text below it.
  public func matches(_ title: FoldedText, _ text: FoldedText = FoldedText("")) -> Bool {
    texts.allSatisfy { title.contains($0) || text.contains($0) }
      && tags.allSatisfy { text.has($0) || title.has($0) }
      && links.allSatisfy { $0.contains(where: text.contains) }
  }

  /// Returns the ranges of a text that match a term of the query, in order. Each has at least one
  /// character, and no two have the same start.
  public func hits(in text: String) -> [Range<String.Index>] {
    if isEmpty { return [] }
    let folded = FoldedText(text)
    let ranges =
      texts.flatMap { folded.ranges(of: $0) }
      + tags.flatMap { folded.ranges(of: $0.marked, $0.name) }
      + links.joined().flatMap { folded.ranges(of: $0) }
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
    func endsTag(_ range: Range<Int>) -> Bool {
      bytes[range.upperBound...].first?.isPartOfTag != true
    }
    let hashed = ranges(of: marked).filter {
      bytes.canBeginTag(at: $0.lowerBound) && endsTag($0)
    }
    let listed = (contains(Self.tags) ? ranges(of: name) : []).filter {
      let before = bytes[..<$0.lowerBound]
      let isInside = before.last.map { $0.isPartOfTag || $0 == UInt8(ascii: "#") } ?? false
      return !isInside && endsTag($0) && before.lastLine.starts(with: Self.tags.bytes)
    }
    return hashed.map { $0.lowerBound + 1..<$0.upperBound } + listed
  }

  /// The names of all tags in the text, without case and accents: the words after `#`, unless they are numbers, and the
  /// words of lines that begin with `tags:`. A tag such as `#work/plan` is also found as `work`.
  public var tagNames: [String] {
    let bytes = bytes
    return tagRanges(in: bytes).map { String(decoding: bytes[$0], as: UTF8.self) }
  }

  /// Returns the tags of a text as they are written, in its order.
  public static func tags(in text: String) -> [String] {
    let folded = FoldedText(text)
    return characters(folded.tagRanges(in: folded.bytes), of: text).map { String(text[$0]) }
  }

  /// Returns the different tags of some texts, in the order of the alphabet. Each is written as in the first text.
  public static func tags(in texts: some Sequence<String>) -> [String] {
    var written: [String: String] = [:]
    for tag in texts.lazy.flatMap({ tags(in: $0) }) {
      let name = String(decoding: FoldedText(tag).bytes, as: UTF8.self)
      written[name] = written[name] ?? tag
    }
    return written.sorted { $0.key < $1.key }.map(\.value)
  }

  private func tagRanges(in bytes: ArraySlice<UInt8>) -> [Range<Int>] {
    let slash = UInt8(ascii: "/")
    let marked = bytes.indices.filter {
      bytes[$0] == UInt8(ascii: "#") && bytes.canBeginTag(at: $0)
    }.map { mark in
      var name = bytes[(mark + 1)...].prefix { $0.isPartOfTag || $0 == slash }
      while name.last == slash { name.removeLast() }
      return name.allSatisfy { $0.isDigit || $0 == slash } ? name.prefix(0) : name
    }
    let listed = ranges(of: Self.tags).filter { bytes[..<$0.lowerBound].lastLine.isEmpty }
      .flatMap {
        bytes[$0.upperBound...].prefix { $0 != UInt8(ascii: "\n") }.split { !$0.isPartOfTag }
      }
    return (marked + listed).filter { !$0.isEmpty }.map { $0.startIndex..<$0.endIndex }
  }
}

extension ArraySlice<UInt8> {
  /// Returns true if a tag may begin with a "#" at an index.
  fileprivate func canBeginTag(at index: Int) -> Bool { self[..<index].last?.precludesTag != true }

  fileprivate var lastLine: ArraySlice {
    self[(lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? startIndex)...]
  }
}

extension UInt8 {
  /// True for a character before "#" that is part of an address or of code, or of a word.
  fileprivate var precludesTag: Bool { isPartOfTag || "/`&?=.:".utf8.contains(self) }

  /// True for letters, digits, "-" and "_". Letters are already folded to lower case.
  fileprivate var isPartOfTag: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...: true
    default: self == UInt8(ascii: "-") || self == UInt8(ascii: "_")
    }
  }
}
