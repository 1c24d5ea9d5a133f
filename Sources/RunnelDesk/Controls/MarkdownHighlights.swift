extension TextHighlight {
  /// Returns the parts of a line of Markdown that look different from the rest: headings, rows of
  /// tables, markers of list items, emphasis, code and links. Blocks of code have several lines: see
  /// ``TextView/codeFence``.
  ///
  ///     let page = TextView("# Milk\n- *two* bottles")
  ///     page.syntax = { TextHighlight.markdown(in: $0) }
  ///
  /// A line of more than 2,000 bytes has none, because it would be slow to draw.
  public static func markdown(in line: String) -> [TextHighlight] {
    if line.utf8.count > 2_000 { return [] }
    let marks = MarkdownMarks(in: line)
    let bold = TextStyle(effects: .bold)
    var parts: [TextHighlight] = []
    func add(_ range: Range<String.Index>?, _ style: TextStyle, _ letters: Letters = .plain) {
      if let range { parts.append(TextHighlight(range, style: style, letters: letters)) }
    }
    func add<Output>(
      all pattern: Regex<Output>, _ style: TextStyle, _ letters: Letters = .plain
    ) {
      for range in line.ranges(of: pattern) { add(range, style, letters) }
    }
    if marks.contains(.table) {
      add(line.prefixMatch(of: Pattern.table)?.range, .plain, .monospaced)
    }
    if marks.contains(.hash), let heading = line.prefixMatch(of: Pattern.heading) {
      let level = line.prefix { $0 == "#" }.count
      add(heading.range, bold.foreground(.blue), .heading(level: level))
    }
    if marks.contains(.item) { add(line.prefixMatch(of: Pattern.item)?.range, bold) }
    let strong = marks.contains(.doubleEmphasis) ? line.ranges(of: Pattern.bold) : []
    if marks.contains(.emphasis) {
      // The inner stars of "**bold**" are no emphasis of their own.
      for range in line.ranges(of: Pattern.italic) where !strong.contains(where: range.isWithin) {
        add(range, TextStyle(effects: .italic))
      }
    }
    for range in strong { add(range, bold) }
    if marks.contains(.code) { add(all: Pattern.code, codeStyle, .monospaced) }
    if marks.contains(.address) {
      let link = TextStyle(foreground: .blue, effects: .underline)
      add(all: Pattern.address, link)
      add(all: Pattern.link, link)
    }
    return parts
  }

  static let codeStyle = TextStyle(foreground: .cyan)

  /// The patterns of Markdown, each of which is compiled once.
  private enum Pattern {
    // Safety: the patterns are never changed. `Regex` compiles itself at the first match and stores the
    // result atomically.
    nonisolated(unsafe) static let heading = #/#{1,6} .*/#
    nonisolated(unsafe) static let table = #/\ *\|.*/#
    nonisolated(unsafe) static let item = #/\s*([-*+]|\d+[.)]) /#
    // Between a space and a star there is no boundary of a word.
    nonisolated(unsafe) static let italic = #/\B\*[^*\s][^*]*\*\B|\b_[^_\s][^_]*_\b/#
      .wordBoundaryKind(.simple)
    nonisolated(unsafe) static let bold = #/\*\*[^*]+\*\*|__[^_]+__/#
    nonisolated(unsafe) static let code = #/`[^`]+`/#
    nonisolated(unsafe) static let address = #/https?://[^\s>)\]]*[^\s>)\].,;:!?]/#
    nonisolated(unsafe) static let link = #/\[[^\]]+\]\(https?://[^)\s]+\)/#
  }
}

extension Range {
  fileprivate func isWithin(_ other: Range) -> Bool {
    other.lowerBound <= lowerBound && upperBound <= other.upperBound
  }
}

/// The characters of Markdown in a line. Most lines have none, and then no pattern is tried.
private struct MarkdownMarks: OptionSet {
  let rawValue: UInt8

  /// The line begins with "#".
  static let hash = MarkdownMarks(rawValue: 1)
  /// The last character of a list marker, followed by a space.
  static let item = MarkdownMarks(rawValue: 2)
  /// "*" or "_".
  static let emphasis = MarkdownMarks(rawValue: 4)
  /// "**" or "__".
  static let doubleEmphasis = MarkdownMarks(rawValue: 8)
  /// "`".
  static let code = MarkdownMarks(rawValue: 16)
  /// ":/", as in an address.
  static let address = MarkdownMarks(rawValue: 32)
  /// The line begins with "|", perhaps after spaces.
  static let table = MarkdownMarks(rawValue: 64)

  init(rawValue: UInt8) { self.rawValue = rawValue }

  init(in line: String) {
    self = []
    if line.utf8.first(where: { $0 != UInt8(ascii: " ") }) == UInt8(ascii: "|") { insert(.table) }
    var last: UInt8 = 0
    for byte in line.utf8 {
      switch byte {
      case UInt8(ascii: "#"): if last == 0 { insert(.hash) }
      case UInt8(ascii: " "): if last.endsMarker { insert(.item) }
      case UInt8(ascii: "*"), UInt8(ascii: "_"):
        insert(last == byte ? [.emphasis, .doubleEmphasis] : .emphasis)
      case UInt8(ascii: "`"): insert(.code)
      case UInt8(ascii: "/"): if last == UInt8(ascii: ":") { insert(.address) }
      default: break
      }
      last = byte
    }
  }
}

extension UInt8 {
  /// True for a character that can be the last one of the marker of a list item.
  fileprivate var endsMarker: Bool {
    switch self {
    case UInt8(ascii: "-"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "."),
      UInt8(ascii: ")"):
      true
    default: false
    }
  }
}
