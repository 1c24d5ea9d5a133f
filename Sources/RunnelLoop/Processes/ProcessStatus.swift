import CLibevent
import Glibc

/// How a process has ended.
public enum ProcessStatus: Sendable, Hashable {
  /// It ended by itself, with a number that is 0 where all went well.
  case exited(Int32)
  /// A signal ended it.
  case ended(by: Signal)
  /// Nobody can know: other code of this process has waited for it (`waitpid(-1, …)`), or ignores
  /// `SIGCHLD`.
  case unknown

  /// Whether all went well.
  public var isSuccess: Bool { self == .exited(0) }
}
