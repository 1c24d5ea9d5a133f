/// The content of a link from one text to another, as in `[[Title]]`, `[[Title#Heading]]` or `[[Title|shown text]]`.
///
///     let link = WikiLink("Milk#Prices")
///     print(link.titles)  // ["Milk#Prices", "Milk"]
public struct WikiLink: Hashable, Sendable {
  /// The text between the brackets.
  public let content: Substring

  /// Creates a link with the text between the brackets.
  public init(_ content: Substring) { self.content = content }

  /// The titles that the link may have, the longest first: a title can contain `#` and `|`.
  public var titles: [Substring] {
    let ends = content.indices.filter { content[$0] == "#" || content[$0] == "|" }
    return [content] + ends.reversed().map { content[..<$0] }
  }

  /// Returns the link with another title instead of one of its ``titles``.
  public func replacing(_ title: Substring, with new: String) -> WikiLink {
    WikiLink(Substring(new + content[title.endIndex...]))
  }

  /// Returns the ranges of the links in a text, with their brackets. A link is in one line, and has no brackets inside.
  public static func ranges(in text: String) -> [Range<String.Index>] {
    var ranges: [Range<String.Index>] = []
    // The start of a link, and the first of its last two brackets.
    var (start, end) = (nil as String.Index?, nil as String.Index?)
    var (former, formerIndex) = (UInt8(0), text.startIndex)
    for index in text.utf8.indices {
      let byte = text.utf8[index]
      switch byte {
      case UInt8(ascii: "["): (start, end) = (former == byte ? formerIndex : nil, nil)
      case UInt8(ascii: "]"):
        if let start, end != nil {
          ranges.append(start..<text.utf8.index(after: index))
        }
        end = start != nil && end == nil && former != UInt8(ascii: "[") ? index : nil
        if end == nil { start = nil }
      case UInt8(ascii: "\n"): (start, end) = (nil, nil)
      default: if end != nil { (start, end) = (nil, nil) }
      }
      (former, formerIndex) = (byte, index)
    }
    return ranges
  }

  /// A title, and the one that replaces it.
  public typealias Renaming = (old: String, new: String)

  /// Returns the titles in links to a text whose path has changed: its path in a folder, and the part after the last
  /// slash, if they have changed. A title that leads to another one of the former paths is left out: of several texts
  /// with it, a link leads to the one with the shortest path.
  public static func renamings(
    of path: String, to newPath: String, among paths: some Sequence<String>
  ) -> [Renaming] {
    let (title, newTitle) = (title(of: path), title(of: newPath))
    let all =
      (title == path ? [] : [(path, newPath)]) + (title == newTitle ? [] : [(title, newTitle)])
    return all.filter { renaming in
      let sought = FoldedText(renaming.0)
      let found = paths.filter { [$0, self.title(of: $0)].contains { FoldedText($0) == sought } }
      return found.min { ($0.utf8.count, $0) < ($1.utf8.count, $1) } == path
    }
  }

  private static func title(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }

  /// Returns a text in which links have the new titles of what was renamed. Case and accents are ignored.
  ///
  /// A link may have several ``titles``. It stays as it is if `isTaken` returns true for one that is longer than the
  /// renamed title.
  public static func renaming(
    _ titles: [Renaming], in text: String, unless isTaken: (String) -> Bool
  ) -> String {
    let renamings = titles.map { (old: FoldedText($0.old), new: $0.new) }
    return replacing(in: text) { link in
      let titles = link.titles.map { (text: $0, folded: FoldedText($0.trimmed)) }
      for (index, title) in titles.enumerated() {
        guard let renaming = renamings.first(where: { $0.old == title.folded }) else { continue }
        if titles[..<index].contains(where: { isTaken($0.text.trimmed) }) { return nil }
        return link.replacing(title.text, with: renaming.new)
      }
      return nil
    }
  }

  /// Returns a text in which links are replaced for which a closure returns another link.
  public static func replacing(in text: String, _ change: (WikiLink) -> WikiLink?) -> String {
    var (result, end) = ("", text.startIndex)
    for range in ranges(in: text) {
      let content = text[range].dropFirst(2).dropLast(2)
      guard let changed = change(WikiLink(content)) else { continue }
      result += text[end..<content.startIndex] + changed.content
      end = content.endIndex
    }
    return result + text[end...]
  }
}
