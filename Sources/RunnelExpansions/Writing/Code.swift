/// Lines of Swift, indented by where they stand.
struct Code {
  private(set) var lines: [String]

  init(_ lines: [String] = []) {
    self.lines = lines
  }

  /// A declaration with a body between braces.
  init(_ head: String, _ body: Code) {
    lines = body.lines.isEmpty ? ["\(head) {}"] : ["\(head) {"] + body.indented + ["}"]
  }

  var isEmpty: Bool { lines.isEmpty }
  var text: String { lines.joined(separator: "\n") }

  private var indented: [String] { lines.map { $0.isEmpty ? $0 : "  \($0)" } }

  static func + (left: Code, right: Code) -> Code { Code(left.lines + right.lines) }
  static func += (left: inout Code, right: Code) { left.lines += right.lines }
}
