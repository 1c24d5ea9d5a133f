import Glibc
import RunnelLoop

/// Why a file or a folder cannot be watched, or not any longer.
public enum FileWatchError: Error, Hashable, CustomStringConvertible {
  /// There is nothing at this path.
  case missing(String)
  /// This process may not read what is at this path, or the folder that it is in.
  case unreadable(String)
  /// This user watches as many folders as the system allows.
  case tooManyFolders
  /// There are as many watchers or open descriptors as the system allows.
  case tooManyWatchers
  /// What the system said otherwise: a value of `errno`.
  case system(Int32)

  /// Says what is wrong and what to do about it.
  public var description: String { message.printable }

  private var message: String {
    switch self {
    case .missing(let path):
      """
      There is nothing at "\(path)" to watch. Create it first, or watch the folder that it will be \
      in, or observe again with retry.
      """
    case .unreadable(let path):
      """
      "\(path)" cannot be watched, because this process may not read it, or the folder it is in. \
      Change their permissions, or run as a user who may.
      """
    case .tooManyFolders:
      """
      No more folders can be watched. Watch fewer, or raise the limit of the system \
      (sysctl fs.inotify.max_user_watches).
      """
    case .tooManyWatchers:
      """
      No more watchers can be made: each observation of changes is one. Share the stream between \
      observers, or raise a limit (sysctl fs.inotify.max_user_instances, ulimit -n).
      """
    case .system(let code):
      explanation(of: code)
    }
  }

  init(_ code: Int32, at path: @autoclosure () -> String) {
    self =
      switch code {
      case ENOENT, ENOTDIR: .missing(path())
      case EACCES: .unreadable(path())
      case ENOSPC: .tooManyFolders
      case EMFILE, ENFILE: .tooManyWatchers
      default: .system(code)
      }
  }
}
