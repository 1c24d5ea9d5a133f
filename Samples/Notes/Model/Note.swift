import Runnel
import RunnelDesk
import RunnelText

/// One file of the folder.
///
/// Lists copy their elements often: all but one flag is shared by the copies.
struct Note: Identifiable, Equatable {
  private final class Content: Sendable {
    /// In front, where a search that asks all notes has it in one piece of the cache with the reference count.
    let folded: FoldedText
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
      folded = FoldedText(id.stem + "\n" + file.text)
    }
  }

  private let content: Content
  var isPinned = false

  /// The name of the file.
  var id: FileName { content.id }
  var contents: FileText { content.file }
  /// Since the beginning of 1970.
  var modified: Duration { content.modified }
  /// Whether it can be looked at but not edited.
  var isReadOnly: Bool { content.isReadOnly }
  /// Why the file cannot be read, if it cannot.
  var problem: FileError? { content.problem }
  /// Why it can only be looked at, if so.
  var restriction: String? {
    if let problem { return "\(problem)" }
    return contents.isValid ? isReadOnly ? "read only" : nil : "not UTF-8, read only"
  }
  /// The title, then the text: what queries look at.
  var folded: FoldedText { content.folded }
  /// Nothing is copied, not even a reference: what is not in the cache costs most when all notes are asked.
  func isFound(by query: Query) -> Bool { query.matches(content.folded) }
  var title: String { id.stem }
  var text: String { contents.text }
  /// The first line that says something, as far as a row shows it.
  var firstLine: Substring {
    let line = text.unicodeScalars.drop { $0.properties.isWhitespace }.prefix(300)
    return Substring(line.prefix { !Self.newlines.contains($0) })
  }
  private static let newlines: [Unicode.Scalar] =
    ["\n", "\r", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}"]

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

  /// Reads a note; nil if there is none of this name.
  init?(_ id: FileName, in folder: Folder) {
    guard Self.isName(id) else { return nil }
    do throws(FileError) {
      let file = try folder.file(id).contents(upTo: Self.longest)
      let isLocked = !file.isWritable || !folder.isWritable
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

  /// How many bytes a note has at most; what is larger is listed, but not read.
  static let longest = 10_000_000

  /// Whether a file of this name is a note: not what is hidden, and not what editors leave.
  static func isName(_ name: FileName) -> Bool {
    !name.isHidden && [".txt", ".md", ".markdown"].contains(name.ending.lowercased())
  }
}
