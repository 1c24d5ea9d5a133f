import CLinux
import Glibc

/// The result of a process that has ended.
public enum ProcessStatus: Sendable, Hashable {
  /// The program exited with a code, which is 0 for success.
  case exited(Int32)
  /// A signal ended the process.
  case ended(by: Signal)
  /// The status is lost: other code of this process reaped the child (`waitpid(-1, …)`), or
  /// `SIGCHLD` is ignored.
  case unknown

  /// True if the program exited with code 0.
  public var isSuccess: Bool { self == .exited(0) }
}
