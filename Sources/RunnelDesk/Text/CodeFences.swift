import RunnelCollections

/// The lines of a text that begin or end a block of code, such as "```" in Markdown.
///
/// Following an edit takes time in proportion to the edit and to the number of these lines, not to the
/// text.
struct CodeFences {
  private let isFence: (_ line: String) -> Bool
  /// The numbers of the lines that begin or end a block, in order, apart from the unknown lines.
  private var lines: [Int] = []
  /// The lines that have not been read since they changed. At first these are all.
  private var unknown = 0..<Int.max / 2

  private init(isFence: @escaping (_ line: String) -> Bool) { self.isFence = isFence }

  /// The lines that begin with a mark. Up to three spaces may precede it.
  init(_ mark: String) {
    self.init { line in
      let spaces = line.utf8.prefix(4).prefix { $0 == UInt8(ascii: " ") }.count
      return spaces < 4 && line.utf8.dropFirst(spaces).starts(with: mark.utf8)
    }
  }

  /// The lines that begin with "```" or "~~~". Any number of spaces may precede it, as in the item of a list.
  static var markdown: CodeFences {
    CodeFences { line in
      let text = line.utf8.drop { $0 == UInt8(ascii: " ") }
      return ["```", "~~~"].contains { text.starts(with: $0.utf8) }
    }
  }

  /// Renumbers the lines after an edit. The edited lines are read when they are needed.
  mutating func follow(_ edit: TextEdit) {
    let (first, last) = (edit.range.lowerBound.line, edit.range.upperBound.line)
    let newLast = edit.newRange.upperBound.line
    let added = newLast - last
    lines.removeSubrange(index(of: first)..<index(of: last + 1))
    if added != 0 { for index in index(of: first)..<lines.count { lines[index] += added } }
    if unknown.isEmpty {
      unknown = first..<newLast + 1
    } else {
      let end = unknown.upperBound > last + 1 ? unknown.upperBound + added : newLast + 1
      unknown = min(unknown.lowerBound, first)..<end
    }
  }

  /// Returns true if a line begins, ends, or belongs to a block.
  mutating func isCode(_ line: Int, of document: TextDocument) -> Bool {
    read(document)
    let before = index(of: line)
    return !before.isMultiple(of: 2) || before < lines.count && lines[before] == line
  }

  private mutating func read(_ document: TextDocument) {
    let changed = unknown.clamped(to: 0..<document.lineCount)
    if changed.isEmpty { return }
    unknown = 0..<0
    let found = changed.filter { isFence(document[line: $0]) }
    lines.replaceSubrange(
      index(of: changed.lowerBound)..<index(of: changed.upperBound), with: found)
  }

  /// Returns the index of the first of ``lines`` from a line on.
  private func index(of line: Int) -> Int {
    lines.indices.partitioningIndex { lines[$0] >= line }
  }
}
