/// Lines of Swift source, indented by nesting.
struct Code {
  private(set) var lines: [String]

  init(_ lines: [String] = []) {
    self.lines = lines
  }

  /// Creates a declaration with a body in braces, on one line if it is short.
  init(_ head: String, _ body: Code) {
    let line = "\(head) { \(body.text) }"
    let isShort = line.count <= 90 && !body.text.contains(where: { "{#/\n".contains($0) })
    if body.isEmpty {
      lines = ["\(head) {}"]
    } else if isShort {
      lines = [line]
    } else {
      lines = ["\(head) {"] + body.indented + ["}"]
    }
  }

  /// Creates a call with a closure at its end that has one parameter. `ending` follows the closure's body.
  init(closure head: String, _ parameter: String, _ body: Code, ending: String = "}") {
    lines = ["\(head) { \(parameter) in"] + body.indented + [ending]
  }

  var isEmpty: Bool { lines.isEmpty }
  var text: String { lines.joined(separator: "\n") }

  private var indented: [String] { lines.map { $0.isEmpty ? $0 : "  \($0)" } }

  /// Returns the code with a text before its first line.
  func following(_ beginning: String) -> Code {
    Code(lines.prefix(1).map { beginning + $0 } + lines.dropFirst())
  }

  static func + (left: Code, right: Code) -> Code { Code(left.lines + right.lines) }
  static func += (left: inout Code, right: Code) { left.lines += right.lines }
}
