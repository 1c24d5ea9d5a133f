import Runnel
import RunnelDesk
import RunnelText

/// A note: one text file of the folder.
///
/// Collections copy their elements often, so copies share all but one flag.
struct Note: Identifiable, Equatable {
  private final class Content: Sendable {
    /// The first fields, next to the reference count: a search of all notes then touches one cache
    /// line of each. An ASCII text shares the bytes of the file.
    let text: FoldedText
    let title: FoldedText
    let id: FileName
    let file: FileText
    let modified: Duration
    let isReadOnly: Bool
    let problem: FileError?

    init(
      _ id: FileName, _ file: FileText, _ modified: Duration, _ isReadOnly: Bool,
      _ problem: FileError?
    ) {
      self.id = id
      self.file = file
      self.modified = modified
      self.isReadOnly = isReadOnly || !file.isValid
      self.problem = problem
      text = file.isPlain ? FoldedText(file.bytes) : FoldedText(file.text)
      // The path of a note in a subfolder is found too.
      title = FoldedText(id.lastComponent.stem + (id.folder.isEmpty ? "" : "\n" + id.stem))
    }
  }

  private let content: Content
  var isPinned = false

  /// The name of the file, or its path from the folder of the notes.
  var id: FileName { content.id }
  var contents: FileText { content.file }
  /// The modification time, since the beginning of 1970.
  var modified: Duration { content.modified }
  /// True if the note cannot be edited.
  var isReadOnly: Bool { content.isReadOnly }
  /// The error that prevents reading the file, if any.
  var problem: FileError? { content.problem }
  /// The reason why the note cannot be edited, if any.
  var restriction: String? {
    if let problem { return "\(problem)" }
    return contents.isValid ? isReadOnly ? "read only" : nil : "not UTF-8, read only"
  }
  /// The title, and the subfolder below it, folded for searching.
  var foldedTitle: FoldedText { content.title }
  /// The text, folded for searching.
  var foldedText: FoldedText { content.text }
  /// The names of its tags, without case and accents.
  var tagNames: [String] { foldedTitle.tagNames + foldedText.tagNames }
  /// Returns true if the note matches a query. It copies nothing, not even a reference: cache
  /// misses dominate a search of all notes.
  func isFound(by query: SearchQuery) -> Bool { query.matches(content.title, content.text) }
  var title: String { id.lastComponent.stem }
  var text: String { contents.text }
  /// The first line that is not blank, limited to the length that a row can show.
  var firstLine: String { contents.firstLine(upTo: 300) }

  init(
    _ id: FileName, _ contents: FileText, modified: Duration, isReadOnly: Bool = false,
    problem: FileError? = nil
  ) {
    content = Content(id, contents, modified, isReadOnly, problem)
  }

  static func == (one: Note, other: Note) -> Bool {
    let isSame = one.id == other.id && one.contents.bytes == other.contents.bytes
    return isSame && one.modified == other.modified && one.problem == other.problem
      && one.isReadOnly == other.isReadOnly && one.isPinned == other.isPinned
  }

  /// Reads a note; returns nil if no such file exists or its name is not that of a note.
  init?(_ id: FileName, in folder: Folder) {
    guard Self.isName(id) else { return nil }
    do throws(FileError) {
      let file = try folder.file(id).contents(upTo: Self.longest)
      let isLocked = !file.isWritable || !folder.folder(of: id).isWritable
      self.init(id, FileText(file.bytes), modified: file.modified, isReadOnly: isLocked)
    } catch .missing, .notAFile {
      return nil
    } catch {
      self.init(id, FileText([]), modified: .zero, isReadOnly: true, problem: error)
    }
  }

  func renamed(_ id: ID) -> Note {
    Note(id, contents, modified: modified, isReadOnly: isReadOnly, problem: problem)
  }

  /// The maximum size of a note in bytes. Larger files are listed but not read.
  static let longest = 10_000_000

  /// The endings of the files that are notes. New notes have the first one, unless the settings or
  /// the user name another.
  static let endings = [".txt", ".md", ".markdown"]

  /// Returns true if a file name is that of a note. Hidden files and editors' backup files are
  /// excluded.
  static func isName(_ name: FileName) -> Bool {
    !name.isHidden && endings.contains(name.ending.lowercased())
  }
}

extension FileName {
  /// Creates the name of a note from a title. An ending of notes that the user has typed is kept.
  init(noteTitled title: String, in folder: String = "", number: Int = 1, defaultEnding: String) {
    // Brackets would end a link to the note.
    let plain = title.trimmed.replacing("[", with: "(").replacing("]", with: ")")
    self = FileName(
      title: plain, number: number, ending: defaultEnding, orTyped: Note.endings
    ).inside(folder)
  }
}
