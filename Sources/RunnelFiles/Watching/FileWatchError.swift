import Glibc
import RunnelLoop

/// An error of watching a file or a folder.
public enum FileWatchError: Error, Hashable, CustomStringConvertible {
  /// The path does not exist.
  case missing(String)
  /// This process may not read the path or its parent folder.
  case unreadable(String)
  /// The user has reached the system's limit of watched folders.
  case tooManyFolders
  /// The user has reached the system's limit of watchers or open descriptors.
  case tooManyWatchers
  /// Any other error of the system, as a value of `errno`.
  case system(Int32)

  /// The cause of the error, and its remedy.
  public var description: String { message.printable }

  private var message: String {
    switch self {
    case .missing(let path):
      """
      There is nothing at "\(path)" to watch. Create it first, watch its parent folder, or observe \
      again with retry.
      """
    case .unreadable(let path):
      """
      "\(path)" cannot be watched: this process may not read it, or its parent folder. Change \
      their permissions, or run as another user.
      """
    case .tooManyFolders:
      """
      No more folders can be watched. Watch fewer, or raise the limit of the system \
      (sysctl fs.inotify.max_user_watches).
      """
    case .tooManyWatchers:
      """
      No more watchers can be created; each observation of changes needs one. Share the stream \
      between observers, or raise a limit (sysctl fs.inotify.max_user_instances, ulimit -n).
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
