/// A page for the program `man`, made from the text of a program's help.
///
///     let help = """
///       NAME
///         copy - copies files
///       """
///     print(ManualPage("copy", help: help).text)
///
/// Lines without indentation are headings. The other lines are shown as they are, without up to two
/// spaces of their indentation.
public struct ManualPage: Sendable {
  /// The page in the format of `man`.
  public let text: String

  /// Creates the page of a program in section 1 of the manual.
  public init(_ program: String, help: String) {
    let lines = help.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map {
      line in
      let isHeading = line.first.map { !$0.isWhitespace } ?? false
      let indentation = line.prefix(2).prefix { $0 == " " }.count
      // A line that begins with a dot or an apostrophe would be a command.
      return isHeading
        ? ".SH \(Self.escaped(line))\n.nf\n" : "\\&\(Self.escaped(line.dropFirst(indentation)))\n"
    }
    text = ".TH \(Self.escaped(program.uppercased()[...])) 1\n" + lines.joined()
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
