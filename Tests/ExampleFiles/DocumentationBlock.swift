import Foundation

/// A block of the documentation that is not prose: an example, a diagram, or printed output.
///
/// In a documentation comment, a block is a run of lines indented by at least five spaces. In a
/// Markdown file, it is a fence marked `swift`. A fence marked `swift external` imports other packages,
/// so it is not compiled. A fence in a documentation comment is none of these kinds.
struct DocumentationBlock: Sendable {
  enum Kind: Sendable {
    /// Swift code that must compile: every block that is neither of the other kinds.
    case example
    /// A diagram: its first line has a gap of two or more spaces between a name and a timeline. In
    /// an example, only a comment follows such a gap.
    case marble
    /// The output of an example: the paragraph before it ends with the word "prints".
    case output
    /// A drawing of the states of a type, with arrows.
    case drawing
  }

  let kind: Kind
  /// The path of the file, relative to the package. `line` is the block's first line.
  let file: String
  let line: Int
  let lines: [String]

  /// Returns the blocks in the documentation comments of a Swift file, or in a Markdown file.
  static func all(in file: String) throws -> [DocumentationBlock] {
    let lines = try PackageFiles.lines(of: file)
    if file.hasSuffix(".md") { return fences(in: lines, of: file) }
    return indented(in: lines.map(comment(in:)), from: 1, of: file)
  }

  /// Returns the blocks in documentation lines without their slashes. Other lines are nil.
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
          if prose.hasSuffix("prints") {
            .output
          } else if open.contains(where: { $0.contains("▶") }) {
            .drawing
          } else {
            isTimeline(open[0]) ? .marble : .example
          }
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
