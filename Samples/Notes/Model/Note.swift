import Runnel
import RunnelDesk

/// One file of the folder.
///
/// Lists copy their elements often: all but one flag is shared by the copies.
struct Note: Identifiable, Equatable {
  private final class Content: Sendable {
    let id: String
    let file: FileText
    let modified: Duration
    let isReadOnly: Bool
    let problem: FileError?
    let folded: FoldedText

    init(
      _ id: String, _ file: FileText, _ modified: Duration, _ isReadOnly: Bool,
      _ problem: FileError?
    ) {
      self.id = id
      self.file = file
      self.modified = modified
      self.isReadOnly = isReadOnly || !file.isValid
      self.problem = problem
      folded = FoldedText(Note.title(of: id) + "\n" + file.text)
    }
  }

  private let content: Content
  var isPinned = false

  /// The name of the file.
  var id: String { content.id }
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
  var title: String { Self.title(of: id) }
  var text: String { contents.text }
  /// The first line that says something.
  var firstLine: Substring {
    text.drop(while: \.isWhitespace).prefix { !$0.isNewline }
  }

  init(
    _ id: String, _ contents: FileText, modified: Duration, isReadOnly: Bool = false,
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
  init?(_ id: String, in folder: Folder) {
    guard Self.isName(id) else { return nil }
    do throws(FileError) {
      let file = try folder.file(id).contents()
      self.init(id, FileText(file.bytes), modified: file.modified, isReadOnly: !file.isWritable)
    } catch .missing, .notAFile {
      return nil
    } catch {
      self.init(id, FileText([]), modified: .zero, isReadOnly: true, problem: error)
    }
  }

  func renamed(_ id: ID) -> Note {
    Note(id, contents, modified: modified, isReadOnly: isReadOnly, problem: problem)
  }

  // MARK: - Names

  /// Whether a file of this name is a note: not what is hidden, and not what editors leave.
  static func isName(_ name: String) -> Bool {
    let ending = name.dropFirst(title(of: name).count).lowercased()
    return !name.hasPrefix(".") && [".txt", ".md", ".markdown"].contains(ending)
  }

  static func title(of id: ID) -> String {
    id.lastIndex(of: ".").map { String(id[..<$0]) } ?? id
  }

  /// A name that a file can have, for a title, with a number where that is taken, and with the ending
  /// of another name.
  static func name(_ title: String, number: Int = 1, like other: ID = ".txt") -> ID {
    let characters = title.map { $0 == "/" || $0 == "\0" || $0.isNewline ? "-" : $0 }
    var stem = String(characters.drop { $0 == "." || $0.isWhitespace })
    // A name has 255 bytes at most, and a copy has a longer one.
    while stem.utf8.count > 200 { stem.removeLast() }
    let ending = other.dropFirst(Self.title(of: other).count)
    return (stem.isEmpty ? "Untitled" : stem) + (number > 1 ? " \(number)" : "") + ending
  }
}
