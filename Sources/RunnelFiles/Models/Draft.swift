import RunnelLoop

/// A text that is built when it is saved.
///
/// `String` conforms to it. A program that edits long texts holds them in another form, which it
/// changes without building the whole text:
///
///     struct Numbers: DraftText {
///       var count = 0
///       var text: String { (0..<count).map { "\($0)\n" }.joined() }
///     }
public protocol DraftText: Sendable {
  /// The whole text. It is built on the thread of the disk.
  var text: String { get }
}

extension String: DraftText {
  /// The string itself.
  public var text: String { self }
}

/// The edited text of a file that is not saved yet.
public final class Draft {
  /// The file that the text will be saved to.
  public internal(set) var name: FileName
  /// The edited text, as the program holds it.
  public internal(set) var contents: any DraftText {
    didSet { if saving == .current { saving = .outdated } }
  }
  /// The edited text. Each access may build it again.
  public var text: String { contents.text }
  /// The error of the last save, or nil.
  public internal(set) var problem: FileError?
  /// The edit that saves the text.
  public let edit: FileEdit
  /// The bytes that will be saved.
  public var bytes: [UInt8] { edit.bytes(for: text) }

  var saving = Saving.idle

  init(_ name: FileName, of bytes: [UInt8]?, following link: LinkRule, text: any DraftText) {
    self.name = name
    contents = text
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
