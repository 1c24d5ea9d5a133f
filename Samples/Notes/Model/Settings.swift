/// What the app remembers besides the notes, in a file of lines like `sort = title`.
struct Settings: Sendable, Equatable {
  /// Hidden, and no note.
  static let fileName = ".notes-settings"

  enum SortKey: String, Sendable {
    case title
    case date
  }

  var sortKey = SortKey.date
  var isAscending = false
  /// The names of the files.
  var pinned: Set<Note.ID> = []
  /// Lines that this version does not understand. They are kept.
  private var others: [Substring] = []

  init() {}

  init(_ text: String) {
    for line in text.split(separator: "\n", omittingEmptySubsequences: true) {
      let parts = line.split(separator: "=", maxSplits: 1).map { $0.trimming(\.isWhitespace) }
      switch (parts.first, parts.last.map(String.init)) {
      case ("sort", let value?) where SortKey(rawValue: value) != nil:
        sortKey = SortKey(rawValue: value) ?? sortKey
      case ("order", "ascending"): isAscending = true
      case ("order", "descending"): isAscending = false
      case ("pinned", let name?) where parts.count == 2: pinned.insert(name)
      default: others.append(line)
      }
    }
  }

  /// What is in the file.
  var text: String {
    var lines = ["sort = \(sortKey)", "order = \(isAscending ? "ascending" : "descending")"]
    lines += pinned.sorted().map { "pinned = \($0)" } + others.map(String.init)
    return lines.joined(separator: "\n") + "\n"
  }

  /// Whether one note stands before another one in the list: those that are pinned come first.
  func areInOrder(_ one: Note, _ other: Note) -> Bool {
    if one.isPinned != other.isPinned { return one.isPinned }
    let (first, second) = isAscending ? (one, other) : (other, one)
    switch sortKey {
    case .title: return first.folded.bytes.lexicographicallyPrecedes(second.folded.bytes)
    case .date: return first.modified < second.modified
    }
  }
}

extension Substring {
  /// Without what stands around it.
  fileprivate func trimming(_ isOut: (Character) -> Bool) -> Substring {
    var rest = drop(while: isOut)
    while let last = rest.last, isOut(last) { rest.removeLast() }
    return rest
  }
}
