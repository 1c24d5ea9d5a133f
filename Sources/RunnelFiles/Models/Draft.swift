import RunnelLoop

/// What was typed into a file and is not saved yet.
public final class Draft {
  /// The file that it is to be saved to.
  public internal(set) var name: FileName
  /// What was typed.
  public internal(set) var text: String {
    didSet {
      isQueued = false
      edition += 1
    }
  }
  /// Why it could not be saved, when that was tried last.
  public internal(set) var problem: FileError?
  /// Saves it.
  public let edit: FileEdit
  /// What is to be saved.
  public var bytes: [UInt8] { edit.bytes(for: text) }

  /// Counts the texts.
  private(set) var edition = 0
  /// Whether the text is about to be saved.
  var isQueued = false
  /// True while it is being saved.
  var isSaving = false
  /// True if it is to be saved again when the present save has ended.
  var isDue = false

  init(_ name: FileName, of bytes: [UInt8]?, following link: LinkRule, text: String) {
    self.name = name
    self.text = text
    edit = FileEdit(of: bytes, following: link)
  }
}
