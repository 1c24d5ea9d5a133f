/// A picture that belongs to a line of a ``TextView``. See ``TextView/picture``.
public struct TextPicture: Hashable, Sendable {
  /// The path of its file.
  public var path: String
  /// The text for people who do not see it.
  public var label: String

  /// Creates a picture of a file.
  public init(path: String, label: String = "") {
    self.path = path
    self.label = label
  }

  /// Returns the first picture in a line of Markdown, such as `![a cow](cow.png)`. Paths are relative to a
  /// folder. Addresses of pages are left out: a text must not load anything from a network. So are lines of more
  /// than 2,000 bytes.
  ///
  ///     let cow = TextPicture.markdown(in: "![a cow](<my cow.png>)", relativeTo: "/barn")
  ///     print(cow?.path ?? "none")  // /barn/my cow.png
  public static func markdown(in line: String, relativeTo folder: String) -> TextPicture? {
    // Most lines have no such mark, and a long one would be slow to search.
    guard line.utf8.contains(UInt8(ascii: "!")), line.utf8.count <= 2_000,
      let match = line.firstMatch(of: pattern)
    else { return nil }
    let written = match.2 ?? match.3 ?? ""
    if written.contains("://") { return nil }
    let path = String(written).withoutPercents
    if path.isEmpty || path.utf8.contains(0) { return nil }
    return TextPicture(
      path: path.hasPrefix("/") ? path : "\(folder)/\(path)", label: String(match.1))
  }

  // Safety: the pattern is never changed. `Regex` compiles itself at the first match and stores the result
  // atomically.
  nonisolated(unsafe) private static let pattern =
    #/!\[([^\]]*)\]\((?:<([^>]+)>|([^\s)<][^\s)]*))(?:\s+"[^"]*")?\)/#
}

extension String {
  /// The text with bytes for escapes such as `%20`; the text itself if the bytes are not UTF-8.
  fileprivate var withoutPercents: String {
    guard utf8.contains(UInt8(ascii: "%")) else { return self }
    var bytes: [UInt8] = []
    var rest = utf8[...]
    while let byte = rest.popFirst() {
      let digits = Substring(rest.prefix(2)).compactMap(\.hexDigitValue)
      if byte == UInt8(ascii: "%"), digits.count == 2 {
        bytes.append(UInt8(16 * digits[0] + digits[1]))
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self) ?? self
  }
}
