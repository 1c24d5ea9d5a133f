import RunnelLoop

/// The edited text of a file that is not saved yet.
public final class Draft {
  /// The file that the text will be saved to.
  public internal(set) var name: FileName
  /// The edited text.
  public internal(set) var text: String {
    didSet {
      isQueued = false
      edition += 1
    }
  }
  /// The error of the last save, or nil.
  public internal(set) var problem: FileError?
  /// The edit that saves the text.
  public let edit: FileEdit
  /// The bytes that will be saved.
  public var bytes: [UInt8] { edit.bytes(for: text) }

  /// The number of changes of the text.
  private(set) var edition = 0
  /// True when the current text is included in a save that has begun.
  var isQueued = false
  var isSaving = false
  /// True if another save begins when the present one has ended.
  var isDue = false

  init(_ name: FileName, of bytes: [UInt8]?, following link: LinkRule, text: String) {
    self.name = name
    self.text = text
    edit = FileEdit(of: bytes, following: link)
  }
}
