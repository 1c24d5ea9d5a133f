import Glibc

/// A signal of the operating system.
public struct Signal: RawRepresentable, Hashable, Sendable {
  /// The number of the signal, such as `SIGTERM`.
  public let rawValue: Int32

  /// Creates a signal with a number.
  public init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// `SIGHUP`: the terminal was closed. Daemons reload their configuration.
  public static let hangup = Signal(rawValue: SIGHUP)
  /// `SIGINT`: Ctrl-C.
  public static let interrupt = Signal(rawValue: SIGINT)
  /// `SIGQUIT`: Ctrl-\.
  public static let quit = Signal(rawValue: SIGQUIT)
  /// `SIGABRT`: sent by `abort()` and a failed assertion.
  public static let abort = Signal(rawValue: SIGABRT)
  /// `SIGKILL`: ends the process, and cannot be observed.
  public static let kill = Signal(rawValue: SIGKILL)
  /// `SIGUSR1`: free for the program.
  public static let user1 = Signal(rawValue: SIGUSR1)
  /// `SIGUSR2`: free for the program.
  public static let user2 = Signal(rawValue: SIGUSR2)
  /// `SIGPIPE`: a write to a pipe or a socket that has no reader.
  public static let brokenPipe = Signal(rawValue: SIGPIPE)
  /// `SIGALRM`: sent by `alarm()`.
  public static let alarm = Signal(rawValue: SIGALRM)
  /// `SIGTERM`: a request to end.
  public static let terminate = Signal(rawValue: SIGTERM)
  /// `SIGCHLD`: a child process has ended or stopped.
  public static let child = Signal(rawValue: SIGCHLD)
  /// `SIGCONT`: continue after a stop.
  public static let `continue` = Signal(rawValue: SIGCONT)
  /// `SIGSTOP`: stops the process, and cannot be observed.
  public static let stop = Signal(rawValue: SIGSTOP)
  /// `SIGTSTP`: Ctrl-Z.
  public static let terminalStop = Signal(rawValue: SIGTSTP)
  /// `SIGWINCH`: the terminal window changed its size.
  public static let windowChange = Signal(rawValue: SIGWINCH)

  /// Returns a real-time signal, free for the program: `SIGRTMIN` plus the offset.
  public static func realTime(_ offset: Int32) -> Signal {
    Signal(rawValue: __libc_current_sigrtmin() + offset)
  }
}

extension Signal: CustomStringConvertible {
  /// The system's name of the signal.
  public var description: String {
    if let name = Self.names[rawValue] { return name }
    let offset = rawValue - __libc_current_sigrtmin()
    if offset >= 0 && rawValue <= __libc_current_sigrtmax() { return "SIGRTMIN+\(offset)" }
    return "signal \(rawValue)"
  }

  private static let names = [
    SIGHUP: "SIGHUP", SIGINT: "SIGINT", SIGQUIT: "SIGQUIT", SIGILL: "SIGILL", SIGTRAP: "SIGTRAP",
    SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGKILL: "SIGKILL",
    SIGUSR1: "SIGUSR1", SIGSEGV: "SIGSEGV", SIGUSR2: "SIGUSR2", SIGPIPE: "SIGPIPE",
    SIGALRM: "SIGALRM", SIGTERM: "SIGTERM", SIGCHLD: "SIGCHLD", SIGCONT: "SIGCONT",
    SIGSTOP: "SIGSTOP", SIGTSTP: "SIGTSTP", SIGTTIN: "SIGTTIN", SIGTTOU: "SIGTTOU",
    SIGURG: "SIGURG", SIGXCPU: "SIGXCPU", SIGXFSZ: "SIGXFSZ", SIGVTALRM: "SIGVTALRM",
    SIGPROF: "SIGPROF", SIGWINCH: "SIGWINCH", SIGPOLL: "SIGIO", SIGSYS: "SIGSYS",
  ]
}

extension Signal {
  /// The bit of the signal in a set of signals.
  var bit: UInt64 { 1 << UInt64(rawValue - 1) }

  /// The reason why the signal cannot be observed; nil if it can.
  var obstacle: String? {
    switch rawValue {
    case SIGKILL, SIGSTOP:
      "the system does not deliver it to the process. Observe .terminate or .terminalStop"
    case SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP:
      """
      it reports a fault of the running instruction, which would run again forever if the process \
      continued. Leave it to the crash reporter
      """
    case 1..<32, __libc_current_sigrtmin()...__libc_current_sigrtmax(): nil
    default: "there is no such signal, or the C library reserves it"
    }
  }
}
