import Runnel

/// What the app remembers besides the notes, as a file of lines like `sort = title`.
struct Settings: Equatable {
  /// Hidden, and no note.
  static let fileName: FileName = ".notes-settings"

  enum SortKey: String {
    case title
    case date
  }

  var sortKey = SortKey.date
  var isAscending = false
  var pinned: Set<Note.ID> = []
  /// Lines that mean nothing to this version are kept.
  private var others: [String] = []

  init(_ bytes: [UInt8] = []) {
    for bytes in bytes.split(separator: UInt8(ascii: "\n")) {
      let line = String(decoding: bytes, as: UTF8.self)
      let parts = line.split(separator: " = ", maxSplits: 1, omittingEmptySubsequences: false).map(
        String.init)
      switch (parts[0], parts.count == 2 ? parts[1] : "") {
      case ("sort", let value) where SortKey(rawValue: value) != nil:
        sortKey = SortKey(rawValue: value) ?? sortKey
      case ("order", "ascending"): isAscending = true
      case ("order", "descending"): isAscending = false
      // A slash stands for the end of a line: no name has one.
      case ("pinned", let name) where !name.isEmpty:
        pinned.insert(FileName(name.replacing("/", with: "\n")))
      default: others.append(line)
      }
    }
  }

  var text: String {
    let own = ["sort = \(sortKey)", "order = \(isAscending ? "ascending" : "descending")"]
    let names = pinned.sorted().map { $0.text.replacing("\n", with: "/") }
    let lines = own + names.map { "pinned = \($0)" } + others
    return lines.map { "\($0)\n" }.joined()
  }

  /// Whether a note stands before another one in the list: those that are pinned come first.
  func areInOrder(_ one: Note, _ other: Note) -> Bool {
    if one.isPinned != other.isPinned { return one.isPinned }
    let (first, second) = isAscending ? (one, other) : (other, one)
    switch sortKey {
    case .title: return first.folded < second.folded
    case .date: return first.modified < second.modified
    }
  }
}
