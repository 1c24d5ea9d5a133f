import Runnel

/// One file of the folder.
struct Note: Identifiable, Sendable {
  /// The name of the file.
  let id: String
  let contents: NoteText
  /// Since the beginning of 1970.
  let modified: Duration
  /// Why the file cannot be read, if it cannot.
  let problem: FileError?
  /// Whether it can be looked at but not edited.
  let isReadOnly: Bool
  var isPinned = false
  /// What queries look at: the title, then the text.
  let folded: FoldedText

  var title: String { Self.title(of: id) }
  var text: String { contents.text }
  /// The first line that says something.
  var firstLine: Substring {
    text.split(separator: "\n").first { $0.contains { !$0.isWhitespace } } ?? ""
  }

  init(
    _ id: String, _ contents: NoteText, modified: Duration, isReadOnly: Bool = false,
    problem: FileError? = nil
  ) {
    self.id = id
    self.contents = contents
    self.modified = modified
    self.problem = problem
    self.isReadOnly = isReadOnly || !contents.isValid
    folded = FoldedText(Self.title(of: id) + "\n" + contents.text)
  }

  /// Reads a note; nil if there is none of this name.
  init?(_ id: String, in folder: Folder) {
    do throws(FileError) {
      let file = try folder.file(id).contents()
      self.init(
        id, NoteText(file.bytes), modified: file.modified, isReadOnly: !file.isWritable)
    } catch {
      switch error {
      case .missing, .notAFile: return nil
      default:
        self.init(id, NoteText([]), modified: .zero, isReadOnly: true, problem: error)
      }
    }
  }

  func renamed(_ id: ID) -> Note {
    Note(id, contents, modified: modified, isReadOnly: isReadOnly, problem: problem)
  }

  /// Whether it says the same as another one, so that nobody needs to be told.
  func isSame(as other: Note) -> Bool {
    contents.bytes == other.contents.bytes && modified == other.modified
      && isReadOnly == other.isReadOnly && problem == other.problem && isPinned == other.isPinned
  }

  // MARK: - Names

  private static let endings = ["txt", "md", "markdown"]

  /// Whether a file of this name is a note: not what is hidden, and not what editors leave.
  static func isName(_ name: String) -> Bool {
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return false }
    return !name.hasPrefix(".") && !name.hasPrefix("#")
      && endings.contains(name[name.index(after: dot)...].lowercased())
  }

  static func title(of id: String) -> String {
    id.lastIndex(of: ".").map { String(id[..<$0]) } ?? id
  }

  /// A name for a title, which a file can have, with the ending of another name.
  static func name(_ title: String, like other: ID? = nil) -> String {
    let ending = other.map { $0.dropFirst(Self.title(of: $0).count) } ?? ".txt"
    let allowed = title.map { $0 == "/" || $0 == "\0" || $0.isNewline ? "-" : $0 }
    var stem = allowed.drop { $0 == "." || $0 == "#" || $0.isWhitespace }
    // Names have 255 bytes at most.
    while String(stem).utf8.count > 200 { stem.removeLast() }
    return (stem.isEmpty ? "Untitled" : String(stem)) + ending
  }
}
