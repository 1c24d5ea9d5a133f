import Glibc

/// Why there is no terminal to show something on.
public enum TerminalError: Error, Hashable, CustomStringConvertible {
  /// There is none at the path, or none that may be used: a value of `errno` says why.
  case notOpened(path: String, code: Int32)
  /// What is at the path is no terminal.
  case notATerminal(path: String)
  /// It cannot do more than print line after line, as its name says.
  case incapable(name: String)
  /// This process shows something on one already.
  case alreadyOpen
  /// What would put the terminal back at the end cannot be made ready: a value of `errno` says why.
  case notProtected(code: Int32)

  /// Says what is wrong and what to do about it.
  public var description: String {
    switch self {
    case .notOpened(let path, let code):
      "The terminal \(path) cannot be opened: \(reason(code)). Start this program in a terminal."
    case .notATerminal(let path):
      "\(path) is not a terminal. Start this program in one."
    case .incapable(let name):
      name.isEmpty
        ? "TERM is not set. Set it to the name of the terminal: export TERM=xterm-256color."
        : "A terminal named '\(name)' has no screen to draw on. If it has, set TERM accordingly."
    case .alreadyOpen:
      "This process shows something on a terminal already. Close that Terminal first."
    case .notProtected(let code):
      "The terminal could not be put back if this program crashed: \(reason(code))."
    }
  }

  private func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}
