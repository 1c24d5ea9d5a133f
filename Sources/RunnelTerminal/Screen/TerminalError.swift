import Glibc

/// The reason why a terminal cannot be used.
public enum TerminalError: Error, Hashable, CustomStringConvertible {
  /// The path cannot be opened; `code` is a value of `errno`.
  case notOpened(path: String, code: Int32)
  /// The path does not refer to a terminal.
  case notATerminal(path: String)
  /// According to its name, the terminal can only print lines.
  case incapable(name: String)
  /// Another ``Terminal`` of this process is open.
  case alreadyOpen
  /// The guard that restores the terminal cannot be set up; `code` is a value of `errno`.
  case notProtected(code: Int32)

  /// The error, and what to do about it.
  public var description: String {
    switch self {
    case .notOpened(let path, let code):
      "The terminal \(path) cannot be opened: \(reason(code)). Start this program in a terminal."
    case .notATerminal(let path):
      "\(path) is not a terminal. Start this program in one."
    case .incapable(let name):
      name.isEmpty
        ? "TERM is not set. Set it to the name of the terminal: export TERM=xterm-256color."
        : "A terminal named '\(name)' has no screen to draw on. If it does, set TERM accordingly."
    case .alreadyOpen:
      "This process has already opened a terminal. Close that Terminal first."
    case .notProtected(let code):
      "The terminal cannot be protected against a crash of this program: \(reason(code))."
    }
  }

  private func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}
