/// The Swift file in which an example is compiled.
///
/// Types and extensions that the example declares are copied and made private to the file, so that
/// two examples can use the same name. The remaining statements become the body of a method of
/// `Screen` on the main actor, where `self`, `try` and `await` are valid. Each part is preceded by
/// its source location, so that the compiler reports the file and line of the example.
///
/// A file that is only compiled uses the macros of `Testing`. A file that runs uses `Checking` of
/// `Tests/Clients` instead, because it has no test to fail.
struct ExampleFile {
  let text: String
  /// True when the example awaits something at its top level.
  let isAsynchronous: Bool

  init(_ example: DocumentationBlock, runs: Bool = false) {
    var imports: [String] = []
    var declarations: [String] = []
    var statements: [String] = []
    for (offset, lines) in Self.parts(of: example.lines) {
      let place = "#sourceLocation(file: \"\(example.file)\", line: \(example.line + offset))"
      if lines[0].hasPrefix("import ") {
        imports += lines
      } else if let keyword = Self.declaration(in: lines) {
        var lines = lines
        lines[keyword].insert(contentsOf: "fileprivate ", at: Self.keyword(in: lines[keyword]))
        declarations += [place] + lines
      } else {
        statements += [place] + lines
      }
    }
    if imports.isEmpty { imports = ExampleWorld(of: example).imports }
    if runs { imports.append("import Checking") }
    if example.file.hasPrefix("Sources/Runnel/") { imports.append("import Runnel") }
    if example.file.hasPrefix("Sources/RunnelFoundation/") { imports += Self.foundation }
    if example.file.hasPrefix("Sources/RunnelTLS/") { imports.append("import RunnelTLS") }
    isAsynchronous = statements.contains { $0.contains("await ") }
    let effects = !runs || isAsynchronous ? "async throws" : "throws"
    let method = ["extension Screen {", "fileprivate func example() \(effects) {"]
    let lines = imports + declarations + method + statements + ["}", "}", ""]
    let text = lines.joined(separator: "\n")
    self.text =
      runs
      ? text.replacing("import Testing\n", with: "").replacing("#expect(", with: "check(") : text
  }

  /// Additional imports for examples of the module that bridges to Foundation.
  private static let foundation = [
    "import Foundation", "import FoundationNetworking", "import RunnelFoundation",
  ]

  /// Returns the parts that begin at the left margin, each with the index of its first line.
  private static func parts(of lines: [String]) -> [(offset: Int, lines: [String])] {
    var parts: [(offset: Int, lines: [String])] = []
    for (offset, line) in lines.enumerated() {
      let isCase = line.hasPrefix("case ") || line.hasPrefix("default:")
      let continues = line.isEmpty || isCase || " })].".contains(line.first ?? " ")
      // An attribute on its own line belongs to the next line.
      let isAttributed = parts.last?.lines.last.map { $0.hasPrefix("@") && !$0.contains(" ") }
      if !parts.isEmpty && (continues || isAttributed == true) {
        parts[parts.count - 1].lines.append(line)
      } else {
        parts.append((offset, [line]))
      }
    }
    return parts
  }

  /// Returns the line of a part that declares a type or an extension, or nil.
  private static func declaration(in lines: [String]) -> Int? {
    guard let line = lines.firstIndex(where: { !$0.hasPrefix("@") || $0.contains(" ") }) else {
      return nil
    }
    let words = lines[line].split(separator: " ").drop { $0.hasPrefix("@") || $0 == "final" }
    let keywords = ["extension", "class", "struct", "enum", "actor", "protocol"]
    return words.first.map { keywords.contains(String($0)) } == true ? line : nil
  }

  /// Returns the index after the attributes in a line.
  private static func keyword(in line: String) -> String.Index {
    var rest = line[...]
    while rest.hasPrefix("@"), let end = rest.firstIndex(of: " ") {
      rest = rest[rest.index(after: end)...]
    }
    return rest.startIndex
  }
}
