/// The highlighted parts of lines, kept by the text of the lines.
struct LineSyntax {
  private var known: [LineBytes: [TextHighlight]] = [:]
  /// More lines than a screen has.
  private static let maximumLineCount = 1_024

  /// The parts of a line; nil if they are not known.
  subscript(line: String) -> [TextHighlight]? {
    get { known[LineBytes(line: line)] }
    set {
      if known.count >= Self.maximumLineCount { known = [:] }
      known[LineBytes(line: line)] = newValue
    }
  }
}
