/// The source of a program in `Examples`.
struct ProgramFile: Sendable {
  let lines: [String]
  /// The output as the comment at the end of the program says. It is not compared if it is nil.
  let output: [String]?

  init(lines: [String]) {
    let end = lines.firstIndex(of: "// Output:")
    self.lines = Array(lines[..<(end ?? lines.count)])
    output = end.map { end in
      lines[(end + 1)...].filter { $0.hasPrefix("//") }
        .map { String($0.dropFirst($0.hasPrefix("// ") ? 3 : 2)) }
    }
  }

  /// True if lines are consecutive lines of the program. They may be indented less.
  func contains(_ excerpt: [String]) -> Bool { Self.lines(lines, contain: excerpt) }

  static func lines(_ lines: [String], contain excerpt: [String]) -> Bool {
    guard let first = excerpt.first, excerpt.count <= lines.count else { return false }
    return (0...lines.count - excerpt.count).contains { start in
      let indent = lines[start].count - first.count
      guard indent >= 0 else { return false }
      let space = String(repeating: " ", count: indent)
      return zip(lines[start...], excerpt).allSatisfy { $0 == ($1.isEmpty ? "" : space + $1) }
    }
  }
}
