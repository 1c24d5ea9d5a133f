/// A block of a guide that is a copy of lines of a program in `Examples`.
///
/// After one or more blocks, the guide links to their program. A fence marked `text` that follows a
/// block directly is a copy of lines of the program's output.
struct Excerpt: Sendable {
  /// The path of the program, relative to the package, or nil if no link to a program follows.
  let program: String?
  let block: DocumentationBlock
  /// The lines of the fence that follows the block directly, or none.
  let output: [String]

  /// True if the guide shows programs of `Examples`. Then each of its blocks must be an excerpt.
  static func areAll(in guide: String) throws -> Bool {
    try PackageFiles.lines(of: guide).contains { link(in: $0) != nil }
  }

  /// Returns the blocks of a guide with their programs.
  static func all(in guide: String) throws -> [Excerpt] {
    let lines = try PackageFiles.lines(of: guide)
    return try DocumentationBlock.all(in: guide).map { block in
      // The lines after the fence that ends the block.
      let rest = lines[(block.line + block.lines.count)...]
      let next = rest.drop { $0.isEmpty }
      let output = next.first == "```text" ? next.dropFirst().prefix { $0 != "```" } : []
      return Excerpt(
        program: rest.lazy.compactMap(link(in:)).first, block: block, output: Array(output))
    }
  }

  /// Returns the path of the program to which a line links, or nil.
  private static func link(in line: String) -> String? {
    for start in ["](../Examples/", "](Examples/"] {
      guard let range = line.firstRange(of: start) else { continue }
      let path = line[range.upperBound...].prefix { $0 != ")" }
      if path.hasSuffix(".swift") { return "Examples/\(path)" }
    }
    return nil
  }
}
