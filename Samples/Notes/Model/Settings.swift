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
  private var others: [[UInt8]] = []

  /// How many bytes the file has at most; a larger one is not read.
  static let longest = 10_000_000

  private static let lineFeed = UInt8(ascii: "\n")
  /// It stands for the end of a line in a name: no name has one of its own.
  private static let slash = UInt8(ascii: "/")
  private static let separator = Array(" = ".utf8)

  /// Reads the lines of the file. They are bytes: as characters, the end of a line could be a part of
  /// what stands before or after it.
  init(_ bytes: [UInt8] = []) {
    for line in bytes.split(separator: Self.lineFeed) {
      let (key, value) = Self.parts(of: line)
      switch (String(decoding: key, as: UTF8.self), String(decoding: value, as: UTF8.self)) {
      case ("sort", let value) where SortKey(rawValue: value) != nil:
        sortKey = SortKey(rawValue: value) ?? sortKey
      case ("order", "ascending"): isAscending = true
      case ("order", "descending"): isAscending = false
      case ("pinned", _) where !value.isEmpty:
        pinned.insert(FileName(Self.text(value, replacing: Self.slash, with: Self.lineFeed)))
      default: others.append(Array(line))
      }
    }
  }

  private static func parts(of line: ArraySlice<UInt8>) -> (ArraySlice<UInt8>, ArraySlice<UInt8>) {
    let start = line.indices.first { line[$0...].starts(with: separator) }
    return start.map { (line[..<$0], line[($0 + separator.count)...]) } ?? (line, [])
  }

  private static func text(
    _ bytes: some Sequence<UInt8>, replacing old: UInt8, with new: UInt8
  ) -> String {
    String(decoding: bytes.map { $0 == old ? new : $0 }, as: UTF8.self)
  }

  /// The file with these settings.
  var bytes: [UInt8] {
    let own = ["sort = \(sortKey)", "order = \(isAscending ? "ascending" : "descending")"]
    let names = pinned.sorted().map {
      "pinned = " + Self.text($0.text.utf8, replacing: Self.lineFeed, with: Self.slash)
    }
    let lines = (own + names).map { Array($0.utf8) } + others
    return lines.flatMap { $0 + [Self.lineFeed] }
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
