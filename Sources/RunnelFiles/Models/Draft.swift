import RunnelLoop

/// The edited text of a file that is not saved yet.
public final class Draft {
  /// The file that the text will be saved to.
  public internal(set) var name: FileName
  /// The edited text.
  public internal(set) var text: String {
    didSet { if saving == .current { saving = .outdated } }
  }
  /// The error of the last save, or nil.
  public internal(set) var problem: FileError?
  /// The edit that saves the text.
  public let edit: FileEdit
  /// The bytes that will be saved.
  public var bytes: [UInt8] { edit.bytes(for: text) }

  var saving = Saving.idle

  init(_ name: FileName, of bytes: [UInt8]?, following link: LinkRule, text: String) {
    self.name = name
    self.text = text
    edit = FileEdit(of: bytes, following: link)
  }

  /// The progress of saving a draft.
  ///
  ///     idle ─ save ─▶ current ─ edit ─▶ outdated ─ save ─▶ repeating
  ///       ▲──────────────┴─────── end ──────┴──────────────────┘
  enum Saving: CaseIterable {
    /// No save runs.
    case idle
    /// A save of the present text runs.
    case current
    /// A save of an earlier text runs.
    case outdated
    /// A save of an earlier text runs, and another one begins afterwards.
    case repeating

    /// True when the present text is being saved, or will be.
    var includesText: Bool { self == .current || self == .repeating }

    /// Requests a save. Returns true if it begins now.
    mutating func begin() -> Bool {
      let begins = self == .idle
      switch self {
      case .idle, .current: self = .current
      case .outdated, .repeating: self = .repeating
      }
      return begins
    }
  }
}
