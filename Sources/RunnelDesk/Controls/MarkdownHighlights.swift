extension TextHighlight {
  /// Returns the parts of a line of Markdown that look different from the rest: headings, markers of
  /// list items, emphasis, code and links.
  ///
  ///     let page = TextView("# Milk\n- *two* bottles")
  ///     page.highlights = { _, line in TextHighlight.markdown(in: line) }
  ///
  /// A line of more than 2,000 bytes has none, because it would be slow to draw.
  public static func markdown(in line: String) -> [TextHighlight] {
    if line.utf8.count > 2_000 { return [] }
    let bold = TextStyle(effects: .bold)
    var parts: [TextHighlight] = []
    func add<Output>(_ regex: Regex<Output>, _ style: TextStyle) {
      // Between a space and a star there is no boundary of a word.
      parts += line.ranges(of: regex.wordBoundaryKind(.simple)).map {
        TextHighlight($0, style: style)
      }
    }
    add(#/^#{1,6} .*/#, bold.foreground(.blue))
    add(#/^\s*([-*+]|\d+[.)]) /#, bold)
    add(#/\B\*[^*\s][^*]*\*\B|\b_[^_\s][^_]*_\b/#, TextStyle(effects: .italic))
    add(#/\*\*[^*]+\*\*|__[^_]+__/#, bold)
    add(#/`[^`]+`/#, TextStyle(foreground: .cyan))
    let link = TextStyle(foreground: .blue, effects: .underline)
    add(#/https?://[^\s>)\]]*[^\s>)\].,;:!?]/#, link)
    add(#/\[[^\]]+\]\(https?://[^)\s]+\)/#, link)
    return parts
  }
}
