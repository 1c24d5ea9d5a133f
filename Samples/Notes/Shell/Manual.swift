/// The manual page in the format of `man`, made from the text of the help.
enum Manual {
  static func page(from help: [UInt8]) -> [UInt8] {
    let lines = String(decoding: help, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
    let page = lines.map { line in
      let isHeading = line.first.map { $0 != " " } ?? false
      // A line that begins with a dot or an apostrophe would be a command.
      return isHeading ? ".SH \(escaped(line))\n.nf\n" : "\\&\(escaped(line.dropFirst(2)))\n"
    }
    return Array((".TH NOTES 1\n" + page.joined()).utf8)
  }

  /// Replaces the characters that `man` would take for commands, or print as others.
  private static func escaped(_ line: Substring) -> String {
    let escapes: [Character: String] = [
      "\\": "\\e", "-": "\\-", "'": "\\(aq", "`": "\\(ga", "\"": "\\(dq", "^": "\\(ha",
      "~": "\\(ti",
    ]
    return line.map { escapes[$0] ?? String($0) }.joined()
  }
}
