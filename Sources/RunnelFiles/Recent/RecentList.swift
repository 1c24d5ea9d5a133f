/// The list of recently used files as a document, in which a program changes its own entries.
///
/// Everything else stays as it is written, byte for byte.
struct RecentList {
  private let bytes: [UInt8]
  private let root: MarkupElement
  private var replacements: [(range: Range<Int>, text: String)] = []

  private static let bookmarks = "http://www.freedesktop.org/standards/desktop-bookmarks"
  private static let types = "http://www.freedesktop.org/standards/shared-mime-info"
  static let empty = """
    <?xml version="1.0" encoding="UTF-8"?>
    <xbel version="1.0"
          xmlns:bookmark="\(bookmarks)"
          xmlns:mime="\(types)">
    </xbel>

    """

  /// A use of a file by a program.
  struct Use {
    /// The address of the file.
    let address: String
    let type: String
    let program: String
    /// The command with which the program opens a file.
    let command: String
    /// The time in UTC, such as `2026-01-05T09:30:00Z`.
    let time: String
  }

  /// True for a list without entries that is written as one tag.
  private var isOneTag: Bool { root.head == root.range }

  /// Reads a list, which may be empty. Returns nil if it is malformed.
  init?(_ bytes: [UInt8]) {
    let bytes = bytes.isEmpty ? Array(Self.empty.utf8) : bytes
    guard let root = MarkupElement(document: bytes), root.name == "xbel" else { return nil }
    self.bytes = bytes
    self.root = root
  }

  /// Returns the list with a use. Of the entries that only this program has made, the latest stay.
  func adding(_ use: Use, limit: Int) -> [UInt8] {
    var list = self
    list.declareNames()
    let all = root.children.filter { $0.name == "bookmark" }
    let address = escaped(use.address)
    // There is one unless another program has written several, or one without the part for programs.
    let entries = all.filter { $0["href"] == address }
    let old = entries.first { $0.descendant("bookmark:applications") != nil } ?? entries.first
    var own = all.filter { entry in
      let programs = entry.descendant("bookmark:applications")?.children ?? []
      return entry["href"] != address && !programs.isEmpty
        && programs.allSatisfy { $0["name"] == escaped(use.program) }
    }
    own.sort { ($0["modified"] ?? "") < ($1["modified"] ?? "") }
    for entry in own.prefix(max(0, own.count + 1 - limit)) { list.remove(entry) }
    if let old { list.change(old, by: use) } else { list.append(use) }
    return list.result
  }

  // MARK: - Entries

  /// Declares the prefixes of the names that an entry has.
  private mutating func declareNames() {
    var attributes = root.attributes
    for (name, value) in [("xmlns:bookmark", Self.bookmarks), ("xmlns:mime", Self.types)]
    where root[name] == nil {
      attributes.append((name, value))
    }
    guard attributes.count > root.attributes.count || isOneTag else { return }
    replacements.append((root.head, head("xbel", attributes)))
  }

  private mutating func append(_ use: Use) {
    let text = "  \(entry(use, added: use.time))\n"
    let end = root.content.upperBound
    // An entry begins on a new line.
    let breaks = isOneTag || bytes[..<end].last != UInt8(ascii: "\n") ? "\n" : ""
    replacements.append((end..<end, breaks + text + (isOneTag ? "</xbel>" : "")))
  }

  private mutating func remove(_ entry: MarkupElement) {
    var start = entry.range.lowerBound
    while start > 0, [UInt8(ascii: " "), UInt8(ascii: "\n")].contains(bytes[start - 1]) {
      start -= 1
    }
    replacements.append((start..<entry.range.upperBound, ""))
  }

  /// Records a use in an entry. What other programs have written into it stays.
  private mutating func change(_ old: MarkupElement, by use: Use) {
    guard let programs = old.descendant("bookmark:applications"), programs.head != programs.range
    else {
      // The specification requires the part. What another program has written instead of it stays.
      if old.head != old.range { return append(use) }
      replacements.append((old.range, entry(use, added: old["added"] ?? use.time)))
      return
    }
    var attributes = old.attributes.filter { !["modified", "visited"].contains($0.name) }
    attributes += [("modified", use.time), ("visited", use.time)]
    replacements.append((old.head, head("bookmark", attributes)))
    let own = programs.children.first { $0["name"] == escaped(use.program) }
    if let own {
      let (count, _) = (Int(own["count"] ?? "") ?? 0).addingReportingOverflow(1)
      replacements.append((own.range, program(use, count: max(count, 1))))
    } else {
      let end = programs.content.upperBound
      replacements.append((end..<end, program(use, count: 1)))
    }
  }

  private func entry(_ use: Use, added: String) -> String {
    let head = head(
      "bookmark",
      [
        ("href", escaped(use.address)), ("added", added), ("modified", use.time),
        ("visited", use.time),
      ])
    return """
      \(head)
          <info>
            <metadata owner="http://freedesktop.org">
              <mime:mime-type type="\(escaped(use.type))"/>
              <bookmark:applications>
                \(program(use, count: 1))
              </bookmark:applications>
            </metadata>
          </info>
        </bookmark>
      """
  }

  private func program(_ use: Use, count: Int) -> String {
    // The command is quoted as for a shell.
    let command = "'" + use.command.replacing("'", with: "'\\''") + "'"
    let attributes = [
      ("name", escaped(use.program)), ("exec", escaped(command)), ("modified", use.time),
      ("count", "\(count)"),
    ]
    return head("bookmark:application", attributes).dropLast() + "/>"
  }

  /// Writes a tag. The values are escaped already.
  private func head(_ name: String, _ attributes: [(String, String)]) -> String {
    let words = attributes.map { name, value in
      // A value that another program has written between apostrophes can have quotes.
      " \(name)=\"\(value.replacing("\"", with: "&quot;"))\""
    }
    return "<\(name)\(words.joined())>"
  }

  /// Returns a text in the form of a value. XML has no form for control characters, which are left out.
  private func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { escaped, scalar in
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&apos;"
      case _ where scalar.value < 0x20 || [0xfffe, 0xffff].contains(scalar.value): break
      default: escaped.unicodeScalars.append(scalar)
      }
    }
  }

  private var result: [UInt8] {
    var result: [UInt8] = []
    var position = 0
    for (range, text) in replacements.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      result += bytes[position..<range.lowerBound]
      result += Array(text.utf8)
      position = range.upperBound
    }
    return result + bytes[position...]
  }
}
