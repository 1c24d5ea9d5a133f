/// The settings for running a program, other than its name and arguments.
public struct ProcessOptions: Sendable, Hashable {
  /// The source of the standard input.
  public enum Input: Sendable, Hashable {
    /// No input: reading ends at once.
    case none
    /// Bytes written to ``ChildProcess/standardInput``.
    case piped
    /// The standard input of this process.
    case inherited
  }

  /// The destination of the standard output or the standard error.
  public enum Output: Sendable, Hashable {
    /// Discards the output.
    case discarded
    /// ``ChildProcess/standardOutput`` or ``ChildProcess/standardError``.
    case piped
    /// The same output of this process.
    case inherited
  }

  /// The process group of the program, which receives the signals that are sent to it.
  public enum Group: Sendable, Hashable {
    /// The group of this process. The terminal's signals, such as Ctrl-C, reach the program too.
    case inherited
    /// A new group, to which the program's children belong. The terminal's signals do not reach it.
    case own
    /// A new group, the rest of which is killed (`SIGKILL`) when the program has ended. If it was
    /// asked to end, the rest has the remaining grace period.
    case ownUntilExit
  }

  /// The environment variables; nil to inherit those of this process.
  public var environment: [String: String]?
  /// The working folder; nil to inherit it. A relative path of the program refers to it too.
  public var workingFolder: String?
  /// The process group of the program.
  public var group = Group.inherited
  /// True to give the program a pipe as descriptor 3, to which it writes when it is ready:
  /// see ``ChildProcess/notification``.
  public var hasNotification = false
  /// The source of the standard input.
  public var input = Input.none
  /// The destination of the standard output. Piped output must be observed, or the program blocks
  /// when the pipe is full.
  public var output = Output.piped
  /// The destination of the standard error, as for ``output``.
  public var errors = Output.inherited
  /// The time after which the program is asked to end (`SIGTERM`); nil for no limit.
  public var timeout: Duration?
  /// The time after that request until the program is killed (`SIGKILL`).
  public var grace: Duration = .seconds(5)

  /// Creates options with no input, piped output, inherited errors and no timeout.
  public init() {}

  /// Creates options and changes them in a closure.
  ///
  ///     show(ProcessOptions { $0.workingFolder = "build" })
  public init(_ change: (inout ProcessOptions) -> Void) {
    change(&self)
  }
}
