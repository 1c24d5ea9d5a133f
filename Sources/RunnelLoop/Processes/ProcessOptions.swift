/// How a program is run, besides its name and arguments.
public struct ProcessOptions: Sendable, Hashable {
  /// Where what it reads comes from.
  public enum Input: Sendable, Hashable {
    /// There is nothing to read.
    case none
    /// From ``ChildProcess/standardInput``.
    case piped
    /// From the standard input of this process.
    case inherited
  }

  /// Where what it writes goes to.
  public enum Output: Sendable, Hashable {
    /// Nowhere.
    case discarded
    /// To ``ChildProcess/standardOutput`` or ``ChildProcess/standardError``.
    case piped
    /// To where this process writes.
    case inherited
  }

  /// The variables of its environment; nil for those of this process.
  public var environment: [String: String]?
  /// The folder that it runs in, from which on its own path counts too; nil for that of this process.
  public var workingFolder: String?
  /// Whether it has a process group of its own: then signals reach its children too, and those of
  /// the terminal, as Ctrl-C sends them, do not reach it.
  public var hasOwnGroup = false
  /// Where what it reads comes from.
  public var input = Input.none
  /// Where what it writes goes to. What is piped has to be observed, or else the program waits for
  /// that once the pipe is full.
  public var output = Output.piped
  /// Where the errors that it writes go to, as for ``output``.
  public var errors = Output.inherited
  /// When it is asked to end (`SIGTERM`), if it runs for so long; nil for never.
  public var timeout: Duration?
  /// How much later it is ended (`SIGKILL`) if it goes on after that.
  public var grace: Duration = .seconds(5)

  /// Nothing to read, output piped, errors where those of this process go, no timeout.
  public init() {}

  /// Those of ``init()``, changed by a closure.
  ///
  ///     show(ProcessOptions { $0.workingFolder = "build" })
  public init(_ change: (inout ProcessOptions) -> Void) {
    change(&self)
  }
}
