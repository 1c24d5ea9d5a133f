import Glibc
import RunnelLoop

/// Why a file cannot be read, saved, moved or thrown away.
public enum FileError: Error, Hashable, CustomStringConvertible {
  /// There is nothing at this path.
  case missing(String)
  /// There is something at this path already.
  case exists(String)
  /// What is at this path is a folder, a device or the like.
  case notAFile(String)
  /// This process may not do that with the file, or in the folder that it is in.
  case notAllowed(String)
  /// The file system can only be read, for now or by its nature.
  case readOnly(String)
  /// The disk is full, or the user has no room left on it.
  case full(String)
  /// The file is larger than what is to be read, which is so many bytes.
  case tooLargeToRead(String, limit: Int)
  /// The file is larger than the file system or this process may make one.
  case tooLarge(String)
  /// The name is longer than the file system takes, or the whole path than the system does.
  case nameTooLong(String)
  /// No file can have this name: it is empty, or contains a zero.
  case unusableName(String)
  /// The disk has failed to read or to write.
  case damaged(String)
  /// The file is in place with all its new contents, but the disk did not confirm it: a power
  /// failure may bring back the old ones.
  case unconfirmed(String)
  /// There is no way to move it there: that is another file system.
  case elsewhere(String)
  /// The process or the system has as many open descriptors as it may.
  case tooManyDescriptors
  /// What the system said otherwise: a value of `errno`.
  case system(Int32)

  /// Says what is wrong and what to do about it.
  public var description: String { message.printable }

  private var message: String {
    switch self {
    case .missing(let path):
      "There is nothing at \"\(path)\". See that the folder is there, and create it if it is not."
    case .exists(let path):
      "There is something at \"\(path)\" already. Choose another name, or move that first."
    case .notAFile(let path):
      "\"\(path)\" is a folder, or something else that is not a file. Choose another name."
    case .notAllowed(let path):
      """
      This user may not do that with "\(path)". Change its permissions or those of its folder, or \
      save under another name.
      """
    case .readOnly(let path):
      "\"\(path)\" is where nothing can be written. Mount it for writing, or save elsewhere."
    case .full(let path):
      "There is no room for \"\(path)\". Delete something or empty the trash, then save again."
    case .tooLarge(let path):
      "\"\(path)\" would be larger than is allowed. Split it, or raise the limit (ulimit -f)."
    case .tooLargeToRead(let path, let limit):
      "\"\(path)\" is larger than \(Self.size(limit)), which is what is read. Split it."
    case .nameTooLong(let path):
      "The name of \"\(path)\" is too long. Choose a shorter one."
    case .unusableName(let name):
      "No file can be called \"\(name)\". Choose a name that is not empty and has no zeros in it."
    case .damaged(let path):
      """
      The disk failed at "\(path)". Save elsewhere, and look after that disk (dmesg says more).
      """
    case .unconfirmed(let path):
      """
      "\(path)" is saved, but the disk did not confirm it, and a power failure may bring back what \
      was there before. Save a copy elsewhere, and look after that disk (dmesg says more).
      """
    case .elsewhere(let path):
      "\"\(path)\" is on another file system. Copy it there, then delete it here."
    case .tooManyDescriptors:
      "No more files can be opened. Close some, or raise the limit (ulimit -n)."
    case .system(let code):
      explanation(of: code)
    }
  }

  /// How much that is, for people to see.
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
