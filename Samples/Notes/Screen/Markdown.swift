import RunnelDesk

/// The parts of a line of Markdown that look different from the rest.
@MainActor
enum Markdown {
  /// A line that is longer is shown as plain text, because it would be slow to draw.
  private static let longest = 2_000

  /// The address or the title of a link: `https://…`, `[[Title]]` or `[text](https://…)`. A browser
  /// could take another text for an option, or run it.
  static let link =
    #/(https?://[^\s>)\]]*[^\s>)\].,;:!?])|\[\[([^\[\]]+)\]\]|\[[^\]]+\]\((https?://[^)\s]+)\)/#

  static func highlights(of line: String) -> [TextHighlight] {
    if line.utf8.count > longest { return [] }
    let bold = TextStyle(effects: .bold)
    let code = TextStyle(foreground: .cyan)
    var parts: [TextHighlight] = []
    func add(_ regex: some RegexComponent, _ style: TextStyle) {
      parts += line.ranges(of: regex).map { TextHighlight($0, style: style) }
    }
    add(#/^#{1,6} .*/#, bold.foreground(.blue))
    add(#/^\s*([-*+]|\d+[.)]) /#, bold)
    add(#/\B\*[^*\s][^*]*\*\B|\b_[^_\s][^_]*_\b/#, TextStyle(effects: .italic))
    add(#/\*\*[^*]+\*\*|__[^_]+__/#, bold)
    add(#/`[^`]+`/#, code)
    add(link, TextStyle(foreground: .blue, effects: .underline))
    return parts
  }
}
