/// The highlighted parts of lines, kept by the text of the lines.
///
/// It is an object, because a closure that finds parts may replace it.
final class LineSyntax {
  private var known: [LineBytes: [TextHighlight]] = [:]
  /// More lines than a screen has.
  private static let maximumLineCount = 1_024
  /// The length in bytes of the longest line that has parts. Each key in a longer line would take time
  /// to find them again, and memory to keep the text before.
  private static let maximumLength = 2_000

  /// Returns the parts of a line. They are found only once for each text.
  func parts(of line: String, _ find: (String) -> [TextHighlight]) -> [TextHighlight] {
    if line.utf8.count > Self.maximumLength { return [] }
    let key = LineBytes(line: line)
    if let parts = known[key] { return parts }
    let parts = find(line)
    if known.count >= Self.maximumLineCount { known = [:] }
    known[key] = parts
    return parts
  }
}
