import Runnel
import RunnelDesk

/// One file of the folder.
struct Note: Identifiable, Equatable {
  /// The name of the file.
  let id: String
  let contents: FileText
  /// Since the beginning of 1970.
  let modified: Duration
  /// Whether it can be looked at but not edited.
  let isReadOnly: Bool
  /// Why the file cannot be read, if it cannot.
  let problem: FileError?
  var isPinned = false
  /// The title, then the text: what queries look at.
  let folded: FoldedText

  var title: String { Self.title(of: id) }
  var text: String { contents.text }
  /// The first line that says something.
  var firstLine: Substring {
    text.split(separator: "\n").first { !$0.allSatisfy(\.isWhitespace) } ?? ""
  }

  init(
    _ id: String, _ contents: FileText, modified: Duration, isReadOnly: Bool = false,
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

  /// A name that a file can have, for a title, with the ending of another name.
  static func name(_ title: String, like other: ID = ".txt") -> ID {
    let characters = title.map { $0 == "/" || $0 == "\0" || $0.isNewline ? "-" : $0 }
    var stem = String(characters.drop { $0 == "." || $0.isWhitespace })
    // A name has 255 bytes at most, and a copy has a longer one.
    while stem.utf8.count > 200 { stem.removeLast() }
    return (stem.isEmpty ? "Untitled" : stem) + other.dropFirst(Self.title(of: other).count)
  }
}
