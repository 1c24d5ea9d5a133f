import Foundation

/// Lines of the documentation that are no prose: an example, a marble diagram, or printed output.
///
/// In a doc comment that is a run of lines that are indented by five spaces or more; in a Markdown
/// file, a fence that says `swift`. A fence in a doc comment is for what is none of the three.
struct DocumentationBlock: Sendable {
  enum Kind: Sendable {
    /// Swift. Whatever is neither of the others must compile.
    case example
    /// A diagram: its first line has a gap of two spaces or more between a name and a timeline. In
    /// an example only a comment has such a gap before it.
    case marble
    /// What an example prints: the paragraph before it ends in the word "prints".
    case output
  }

  let kind: Kind
  /// The file, from the folder of the package on, and the line that the block begins in.
  let file: String
  let line: Int
  let lines: [String]

  /// The blocks of a Swift file's doc comments, or of a Markdown file.
  static func all(in file: String) throws -> [DocumentationBlock] {
    let lines = try PackageFiles.lines(of: file)
    if file.hasSuffix(".md") { return fences(in: lines, of: file) }
    return indented(in: lines.map(comment(in:)), from: 1, of: file)
  }

  /// The blocks in the lines of a doc comment without their slashes, nil where there is none.
  static func indented(
    in lines: [String?], from first: Int, of file: String
  ) -> [DocumentationBlock] {
    var blocks: [DocumentationBlock] = []
    var open: [String] = []
    var prose = ""
    for (index, line) in (lines + [nil]).enumerated() {
      if let line, line.hasPrefix("     ") {
        open.append(String(line.dropFirst(5)))
        continue
      }
      if !open.isEmpty {
        let kind: Kind =
          prose.hasSuffix("prints") ? .output : isTimeline(open[0]) ? .marble : .example
        blocks.append(
          DocumentationBlock(
            kind: kind, file: file, line: first + index - open.count, lines: open))
        open = []
        prose = ""
      }
      if line != "" { prose = line ?? "" }
    }
    return blocks
  }

  private static func comment(in line: String) -> String? {
    let trimmed = line.trimmingCharacters(in: .whitespaces)
    return trimmed.hasPrefix("///") ? String(trimmed.dropFirst(3)) : nil
  }

  private static func isTimeline(_ line: String) -> Bool {
    guard let gap = line.firstRange(of: "  ") else { return false }
    return !line[gap.upperBound...].drop { $0 == " " }.hasPrefix("//")
  }

  private static func fences(in lines: [String], of file: String) -> [DocumentationBlock] {
    var blocks: [DocumentationBlock] = []
    var start: Int?
    for (index, line) in lines.enumerated() {
      if line == "```swift" {
        start = index + 1
      } else if line == "```", let first = start {
        blocks.append(
          DocumentationBlock(
            kind: .example, file: file, line: first + 1, lines: Array(lines[first..<index])))
        start = nil
      }
    }
    return blocks
  }
}
