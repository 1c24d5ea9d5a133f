import Runnel

/// The settings of the app, stored in a file with lines such as `sort = title`.
struct Settings: Equatable {
  /// A hidden file, which is not a note.
  static let fileName: FileName = ".notes-settings"

  enum SortKey: String { case title, date }

  var sortKey = SortKey.date
  var isAscending = false
  var pinned: Set<Note.ID> = []
  /// The percentage of the width that the list takes; nil for the default.
  var divider: Int?
  /// The note that was open at the end.
  var lastNote: Note.ID?
  /// True if Ctrl+Z suspends the app and Alt+Z undoes, and not the other way round.
  var controlZSuspends = false
  /// The ending of the files of new notes.
  var ending = Note.endings[0]
  /// Lines that this version does not understand. They are kept when the file is written.
  private var others: [[UInt8]] = []

  /// The maximum size of the file in bytes; a larger file is not read.
  static let longest = 10_000_000

  private static let lineFeed = UInt8(ascii: "\n")
  /// Replaces line feeds in file names: these bytes are not part of the path of a note.
  private static let escapedLineFeed = Array("/./".utf8)
  private static let separator = Array(" = ".utf8)

  /// Parses the file. It is split as bytes: in a string, a line feed could combine with its
  /// neighbours.
  init(_ bytes: [UInt8] = []) {
    for line in bytes.split(separator: Self.lineFeed) {
      let (key, value) = Self.parts(of: line)
      switch (String(decoding: key, as: UTF8.self), String(decoding: value, as: UTF8.self)) {
      case ("sort", let value) where SortKey(rawValue: value) != nil:
        sortKey = SortKey(rawValue: value) ?? sortKey
      case ("order", let order) where ["ascending", "descending"].contains(order):
        isAscending = order == "ascending"
      case ("pinned", _) where !value.isEmpty: pinned.insert(Self.name(value))
      case ("last", _) where !value.isEmpty: lastNote = Self.name(value)
      case ("divider", let value) where 1...99 ~= Int(value) ?? 0: divider = Int(value)
      case ("ending", let value) where Note.endings.contains("." + value): ending = "." + value
      case ("ctrl+z", "suspend"), ("ctrl+z", "undo"):
        controlZSuspends = value.first == UInt8(ascii: "s")
      default: others.append(Array(line))
      }
    }
  }

  private static func parts(of line: ArraySlice<UInt8>) -> (ArraySlice<UInt8>, ArraySlice<UInt8>) {
    let start = line.indices.first { line[$0...].starts(with: separator) }
    return start.map { (line[..<$0], line[($0 + separator.count)...]) } ?? (line, [])
  }

  private static func name(_ bytes: ArraySlice<UInt8>) -> FileName {
    FileName(
      String(decoding: bytes.replacing(escapedLineFeed, with: [lineFeed]), as: UTF8.self))
  }

  private static func line(_ key: String, _ name: FileName) -> String {
    let bytes = Array(name.text.utf8).replacing([lineFeed], with: escapedLineFeed)
    return "\(key) = " + String(decoding: bytes, as: UTF8.self)
  }

  /// The contents of the file.
  var bytes: [UInt8] {
    var own = ["sort = \(sortKey)", "order = \(isAscending ? "ascending" : "descending")"]
    if let divider { own.append("divider = \(divider)") }
    if controlZSuspends { own.append("ctrl+z = suspend") }
    if ending != Note.endings[0] { own.append("ending = " + ending.dropFirst()) }
    own += pinned.sorted().map { Self.line("pinned", $0) }
    if let lastNote { own.append(Self.line("last", lastNote)) }
    let lines = own.map { Array($0.utf8) } + others
    return lines.flatMap { $0 + [Self.lineFeed] }
  }

  /// Returns true if the settings mention a note.
  func names(_ id: Note.ID) -> Bool { pinned.contains(id) || lastNote == id }

  mutating func rename(_ old: Note.ID, to new: Note.ID) {
    if pinned.remove(old) != nil { pinned.insert(new) }
    if lastNote == old { lastNote = new }
  }

  /// Returns true if one note precedes another in the list. Pinned notes come first.
  func areInOrder(_ one: Note, _ other: Note) -> Bool {
    if one.isPinned != other.isPinned { return one.isPinned }
    let (first, second) = isAscending ? (one, other) : (other, one)
    switch sortKey {
    case .title:
      if first.foldedTitle == second.foldedTitle { return first.id < second.id }
      return first.foldedTitle.naturallyPrecedes(second.foldedTitle)
    case .date: return first.modified < second.modified
    }
  }
}
