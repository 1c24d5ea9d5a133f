import Runnel

/// The settings of the app, stored in a file with lines such as `sort = title`.
struct Settings: Equatable {
  /// A hidden file, which is not a note.
  static let fileName: FileName = ".notes-settings"

  enum SortKey: String {
    case title
    case date
  }

  var sortKey = SortKey.date
  var isAscending = false
  var pinned: Set<Note.ID> = []
  /// Lines that this version does not understand. They are kept when the file is written.
  private var others: [[UInt8]] = []

  /// The maximum size of the file in bytes; a larger file is not read.
  static let longest = 10_000_000

  private static let lineFeed = UInt8(ascii: "\n")
  /// Replaces line feeds in file names: a name cannot contain a slash.
  private static let slash = UInt8(ascii: "/")
  private static let separator = Array(" = ".utf8)

  /// Parses the file. It is split as bytes: in a string, a line feed could combine with its
  /// neighbours.
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

  /// The contents of the file.
  var bytes: [UInt8] {
    let own = ["sort = \(sortKey)", "order = \(isAscending ? "ascending" : "descending")"]
    let names = pinned.sorted().map {
      "pinned = " + Self.text($0.text.utf8, replacing: Self.lineFeed, with: Self.slash)
    }
    let lines = (own + names).map { Array($0.utf8) } + others
    return lines.flatMap { $0 + [Self.lineFeed] }
  }

  /// Returns true if one note precedes another in the list. Pinned notes come first.
  func areInOrder(_ one: Note, _ other: Note) -> Bool {
    if one.isPinned != other.isPinned { return one.isPinned }
    let (first, second) = isAscending ? (one, other) : (other, one)
    switch sortKey {
    case .title: return first.folded < second.folded
    case .date: return first.modified < second.modified
    }
  }
}
