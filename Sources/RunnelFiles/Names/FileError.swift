import Glibc
import RunnelLoop

/// An error of reading, saving, moving or trashing a file.
public enum FileError: Error, Hashable, CustomStringConvertible {
  /// The path does not exist.
  case missing(String)
  /// The path exists already.
  case exists(String)
  /// The path is a folder, a device or another special file.
  case notAFile(String)
  /// A folder on the path has become a link since the file was read, so that the path leads
  /// elsewhere.
  case redirected(String)
  /// This process has no permission for the operation on the file or its folder.
  case notAllowed(String)
  /// The file system is read-only.
  case readOnly(String)
  /// The disk is full, or the user's quota is used up.
  case full(String)
  /// The file is larger than the given limit in bytes.
  case tooLargeToRead(String, limit: Int)
  /// The file would exceed the limit of the file system or of this process.
  case tooLarge(String)
  /// The name or the whole path is longer than the system allows.
  case nameTooLong(String)
  /// The name is invalid: it is empty or contains a zero byte.
  case unusableName(String)
  /// The disk failed to read or to write.
  case damaged(String)
  /// The file has its new contents, but the disk did not confirm them. After a power failure the
  /// old contents may return.
  case unconfirmed(String)
  /// The destination of the move is on another file system.
  case elsewhere(String)
  /// The process or the system has reached its limit of open descriptors.
  case tooManyDescriptors
  /// Any other error of the system, as a value of `errno`.
  case system(Int32)

  /// The cause of the error, and its remedy.
  public var description: String { advice.isEmpty ? cause : "\(cause) \(advice)" }

  /// The cause of the error, in one or two sentences.
  public var cause: String { parts.cause.printable }

  /// The advice to the user, in one or two sentences; empty if there is none. A message with little
  /// room shows it first.
  public var advice: String { parts.advice }

  private var parts: (cause: String, advice: String) {
    switch self {
    case .missing(let path):
      ("There is nothing at \"\(path)\".", "Check that the folder exists, or create it.")
    case .exists(let path):
      (
        "There is something at \"\(path)\" already.",
        "Choose another name, or move the other file first."
      )
    case .notAFile(let path):
      ("\"\(path)\" is a folder or a special file, not a regular file.", "Choose another name.")
    case .redirected(let path):
      (
        "\"\(path)\" is a link now, or is reached through a new one.",
        "Read the file again, or save under another name."
      )
    case .notAllowed(let path):
      (
        "This user has no permission for that operation on \"\(path)\".",
        "Change the permissions of the file or of its folder, or save under another name."
      )
    case .readOnly(let path):
      (
        "\"\(path)\" is on a read-only file system.",
        "Mount the file system writable, or save elsewhere."
      )
    case .full(let path):
      ("There is no room for \"\(path)\".", "Delete something or empty the trash, then save again.")
    case .tooLarge(let path):
      (
        "\"\(path)\" would be larger than is allowed.",
        "Split the file, or raise the limit (ulimit -f)."
      )
    case .tooLargeToRead(let path, let limit):
      ("\"\(path)\" is larger than \(Self.size(limit)), the limit for reading.", "Split the file.")
    case .nameTooLong(let path):
      ("The name of \"\(path)\" is too long.", "Choose a shorter one.")
    case .unusableName(let name):
      (
        "\"\(name)\" is not a valid file name.",
        "Choose one that is not empty and has no zero bytes."
      )
    case .damaged(let path):
      ("The disk failed at \"\(path)\".", "Save elsewhere, and check the disk (see dmesg).")
    case .unconfirmed(let path):
      (
        """
        "\(path)" is saved, but the disk did not confirm it. After a power failure the old contents \
        may return.
        """, "Save a copy elsewhere, and check the disk (see dmesg)."
      )
    case .elsewhere(let path):
      ("\"\(path)\" is on another file system.", "Copy the file there, then delete it here.")
    case .tooManyDescriptors:
      ("No more files can be opened.", "Close some, or raise the limit (ulimit -n).")
    case .system(let code):
      (explanation(of: code), "")
    }
  }

  private static func size(_ bytes: Int) -> String {
    switch bytes {
    case ..<1_000: bytes == 1 ? "1 byte" : "\(bytes) bytes"
    case ..<1_000_000: "\(bytes / 1_000) kB"
    default: "\(bytes / 1_000_000) MB"
    }
  }

  init(_ error: SystemError, at path: String) {
    self =
      switch error.code {
      case ENOENT, ENOTDIR, ELOOP: .missing(path)
      case EEXIST, ENOTEMPTY: .exists(path)
      case EISDIR: .notAFile(path)
      case EACCES, EPERM: .notAllowed(path)
      case EROFS: .readOnly(path)
      case ENOSPC, EDQUOT: .full(path)
      case EFBIG: .tooLarge(path)
      case ENAMETOOLONG: .nameTooLong(path)
      case EIO: .damaged(path)
      case EXDEV: .elsewhere(path)
      case EMFILE, ENFILE: .tooManyDescriptors
      default: .system(error.code)
      }
  }
}
