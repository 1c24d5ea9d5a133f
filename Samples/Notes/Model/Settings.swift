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
  /// True if misspelled words are marked, as far as there is a dictionary.
  var checksSpelling = true
  /// The ending of the files of new notes.
  var ending = Note.endings[0]
  /// Lines that this version does not understand. They are kept when the file is written.
  private var others: [SettingLine] = []

  /// The maximum size of the file in bytes; a larger file is not read.
  static let longest = 10_000_000

  init(_ bytes: [UInt8] = []) {
    for line in SettingLine.lines(of: bytes) {
      switch (line.key, line.value) {
      case ("sort", let value) where SortKey(rawValue: value) != nil:
        sortKey = SortKey(rawValue: value) ?? sortKey
      case ("order", "ascending"), ("order", "descending"): isAscending = line.value == "ascending"
      case ("pinned", _) where line.file != nil: if let file = line.file { pinned.insert(file) }
      case ("last", _) where line.file != nil: lastNote = line.file
      case ("divider", let value) where 1...99 ~= Int(value) ?? 0: divider = Int(value)
      case ("ending", let value) where Note.endings.contains("." + value): ending = "." + value
      case ("ctrl+z", "suspend"), ("ctrl+z", "undo"): controlZSuspends = line.value == "suspend"
      case ("spelling", "on"), ("spelling", "off"): checksSpelling = line.value == "on"
      default: others.append(line)
      }
    }
  }

  /// The contents of the file.
  var bytes: [UInt8] {
    var own = [
      SettingLine("sort", "\(sortKey)"),
      SettingLine("order", isAscending ? "ascending" : "descending"),
    ]
    if let divider { own.append(SettingLine("divider", "\(divider)")) }
    if controlZSuspends { own.append(SettingLine("ctrl+z", "suspend")) }
    if !checksSpelling { own.append(SettingLine("spelling", "off")) }
    if ending != Note.endings[0] { own.append(SettingLine("ending", "\(ending.dropFirst())")) }
    own += pinned.sorted().map { SettingLine("pinned", $0) }
    if let lastNote { own.append(SettingLine("last", lastNote)) }
    return SettingLine.bytes(of: own + others)
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
    let isByDate = sortKey == .date
    if isByDate && one.modified != other.modified {
      return (one.modified < other.modified) == isAscending
    }
    // Copied notes often have one date: they are sorted by title, in both directions.
    let (first, second) = isAscending || isByDate ? (one, other) : (other, one)
    if first.foldedTitle == second.foldedTitle { return first.id < second.id }
    return first.foldedTitle.naturallyPrecedes(second.foldedTitle)
  }
}
